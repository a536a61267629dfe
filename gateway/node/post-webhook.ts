import { lookup } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { CodedError } from "../../shared/errors.ts";
import { isPublicAddress } from "../../shared/outgoing/public-address.ts";
import type { PostWebhook } from "../tasks/push/push-sender.ts";

export interface PostWebhookDeps {
  /** Neither https nor a public address is asked of these. */
  trustedOrigins: ReadonlySet<string>;
  /** All addresses of a host name. */
  resolve?: (host: string) => Promise<string[]>;
}

/**
 * The name is resolved here and the connection goes to the address that was checked, so that a name which answers
 * differently a moment later gains nothing. Redirects are not followed; of the answer the status alone is read.
 */
export function createPostWebhook({ trustedOrigins, resolve = resolveAll }: PostWebhookDeps): PostWebhook {
  return async ({ url: text, headers, body, signal }) => {
    const url = new URL(text);
    const isTrusted = trustedOrigins.has(url.origin);
    if (url.protocol !== "https:" && !isTrusted) throw refused("Webhooks are called by https only.");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(host) ? [host] : await resolve(host);
    const [address] = addresses;
    if (address === undefined) throw new Error("The webhook's host has no address.");
    if (!isTrusted && !addresses.every(isPublicAddress)) throw refused("The webhook is not on the public internet.");
    return post(url, address, { headers, body, signal });
  };
}

function post(
  url: URL,
  address: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<number> {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method: "POST",
      headers: { "user-agent": "farhand", ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      lookup: pinned,
      signal,
    });
    request.once("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.once("error", reject);
    request.end(body);
  });
}

async function resolveAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

const refused = (message: string) => new CodedError("invalid_argument", message);
