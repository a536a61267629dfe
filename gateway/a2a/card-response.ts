/** Answers with a card, or says that the client's copy is still good (A2A 1.0.1, section 8.6). */
export type CardResponse = (
  request: Request,
  card: object,
  options: { scope: "public" | "private"; type?: string },
) => Promise<Response>;

const maxAgeSeconds = { public: 300, private: 60 };

/** `changedAt`: milliseconds since 1970 at which cards of this process came to be; `hash`: SHA-256 in hex. */
export function createCardResponse(deps: {
  changedAt: number;
  hash: (text: string) => string | Promise<string>;
}): CardResponse {
  const lastModified = new Date(deps.changedAt).toUTCString();

  return async (request, card, { scope, type = "application/json" }) => {
    const text = JSON.stringify(card);
    const etag = `"${(await deps.hash(text)).slice(0, 32)}"`;
    const headers = {
      etag,
      "cache-control": `${scope}, max-age=${maxAgeSeconds[scope]}`,
      "last-modified": lastModified,
      ...(scope === "private" ? { vary: "Authorization, Accept" } : {}),
    };
    if (isKept(request.headers, etag, deps.changedAt)) return new Response(null, { status: 304, headers });
    return new Response(text, { headers: { ...headers, "content-type": type } });
  };
}

/** RFC 9110, section 13: the tags decide wherever there are any. */
function isKept(headers: Headers, etag: string, changedAt: number): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return tags.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return Math.floor(changedAt / 1_000) * 1_000 <= since;
}
