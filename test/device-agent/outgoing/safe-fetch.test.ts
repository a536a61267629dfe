import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createSafeFetch, type SafeFetchDeps } from "../../../device-agent/outgoing/safe-fetch.ts";
import { isPublicAddress } from "../../../shared/outgoing/public-address.ts";
import { clock, hurried, never } from "../adb/test-parts.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fetchWith(deps: Partial<SafeFetchDeps> = {}) {
  const safeFetch = createSafeFetch({
    clock,
    resolve: () => Promise.reject(new Error("nothing is resolved here")),
    isPublic: isPublicAddress,
    trustedOrigins: new Set(),
    ...deps,
  });
  return async (url: string, maxBytes = 1_000, signal = never) => {
    const { status, body } = await safeFetch(url, { maxBytes, signal });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { status, text: Buffer.concat(chunks).toString() };
  };
}

const told = (promise: Promise<unknown>) =>
  promise.then(
    () => "fetched",
    (error) => `${error.code}: ${error.message}`,
  );

const notPublic = "invalid_argument: This address is not on the public internet.";

describe("what is refused before anything is sent", () => {
  test.each([
    ["http://example.com/a.apk", "invalid_argument: Only https is fetched."],
    ["ftp://example.com/a.apk", "invalid_argument: Only https is fetched."],
    ["file:///etc/passwd", "invalid_argument: Only https is fetched."],
    ["nonsense", "invalid_argument: This is no web address."],
    ["https://me:secret@example.com/", "invalid_argument: An address with a user name or password is not fetched."],
    ["https://me@example.com/", "invalid_argument: An address with a user name or password is not fetched."],
    ["https://127.0.0.1/", notPublic],
    ["https://2130706433/", notPublic],
    ["https://0x7f.1/", notPublic],
    ["https://127.1/", notPublic],
    ["https://169.254.169.254/latest/meta-data/", notPublic],
    ["https://[::1]/", notPublic],
    ["https://[::ffff:10.0.0.1]/", notPublic],
    ["https://[fe80::1]/", notPublic],
    ["https://[64:ff9b::192.168.0.1]/", notPublic],
  ])("%s", async (url, reason) => {
    expect(await told(fetchWith()(url))).toBe(reason);
  });

  test("a name of which one address is private", async () => {
    const fetched = fetchWith({ resolve: async () => ["93.184.215.14", "10.0.0.1"] })("https://example.com/");
    expect(await told(fetched)).toBe(notPublic);
  });

  test("a name that is not known", async () => {
    expect(await told(fetchWith()("https://no.such.example/"))).toBe("download_failed: The host name is not known.");
  });
});

test("the connection goes to the address that was checked, whatever the name means a moment later", async () => {
  const origin = await serve((_request, response) => response.end("the right one"));
  const port = new URL(origin).port;
  const answers = [["127.0.0.1"], ["10.255.255.1"]];
  let asked = 0;
  const fetchIt = fetchWith({
    resolve: async () => answers[asked++] ?? [],
    trustedOrigins: new Set([`http://apps.example:${port}`]),
  });
  expect(await fetchIt(`http://apps.example:${port}/`)).toEqual({ status: 200, text: "the right one" });
  expect(asked).toBe(1);
});

test("a trusted origin leads to another place only if that is permitted too", async () => {
  const inner = await serve((_request, response) => response.end("secret"));
  const origin = await serve((request, response) => {
    response.writeHead(302, { location: request.url === "/loop" ? "/loop" : `${inner}/` }).end();
  });
  const fetchIt = fetchWith({ trustedOrigins: new Set([origin]) });
  expect(await told(fetchIt(`${origin}/`))).toBe("invalid_argument: Only https is fetched.");
  expect(await told(fetchIt(`${origin}/loop`))).toBe("download_failed: The address leads on more than 5 times.");
  const both = fetchWith({ trustedOrigins: new Set([origin, inner]) });
  expect(await both(`${origin}/`)).toEqual({ status: 200, text: "secret" });
});

test("another port of a trusted host is not trusted", async () => {
  const origin = await serve((_request, response) => response.end("x"));
  const fetchIt = fetchWith({ trustedOrigins: new Set(["http://127.0.0.1:1"]) });
  expect(await told(fetchIt(origin))).toBe("invalid_argument: Only https is fetched.");
});

describe("a body", () => {
  test("that is announced as too large is not begun, and one that grows too large is cut", async () => {
    const origin = await serve((request, response) => {
      if (request.url === "/announced") response.setHeader("content-length", 2_000);
      response.write("x".repeat(500));
      response.end("x".repeat(1_500));
    });
    const fetchIt = fetchWith({ trustedOrigins: new Set([origin]) });
    expect(await told(fetchIt(`${origin}/announced`))).toBe("too_large: What is there is larger than 1000 bytes.");
    expect(await told(fetchIt(`${origin}/`))).toBe("too_large: What is there is larger than 1000 bytes.");
    expect((await fetchIt(`${origin}/`, 2_000)).text.length).toBe(2_000);
  });

  test("that falls silent ends in a failure", async () => {
    const origin = await serve((_request, response) => void response.write("begun"));
    const fetchIt = fetchWith({ clock: hurried(100), trustedOrigins: new Set([origin]) });
    expect(await told(fetchIt(origin))).toBe("download_failed: The other end broke off, or fell silent.");
  });

  test("that ends early is a failure, not a short file", async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("begun", () => response.destroy());
    });
    expect(await told(fetchWith({ trustedOrigins: new Set([origin]) })(origin))).toMatch(/^download_failed/);
  });

  test("ends when the call is given up", async () => {
    const origin = await serve((_request, response) => void response.write("begun"));
    const call = new AbortController();
    const fetched = fetchWith({ trustedOrigins: new Set([origin]) })(origin, 1_000, call.signal);
    setTimeout(() => call.abort(new Error("given up")), 50);
    await expect(fetched).rejects.toThrow("given up");
  });
});

test("a server that never answers ends in a failure", async () => {
  const origin = await serve(() => {});
  const fetchIt = fetchWith({ clock: hurried(100), trustedOrigins: new Set([origin]) });
  expect(await told(fetchIt(origin))).toBe("download_failed: The other end cannot be reached.");
});
