import type { IncomingMessage } from "node:http";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";

export interface SafeFetchDeps {
  clock: Clock;
  /** All addresses of a host name. */
  resolve: (host: string) => Promise<string[]>;
  isPublic: (address: string) => boolean;
  /** Origins that the owner trusts, such as `http://192.168.1.5:8080`: neither https nor a public address is asked of them. */
  trustedOrigins: ReadonlySet<string>;
}

export interface SafeRequest {
  headers?: Record<string, string>;
  /** Of the body; past it the body fails with `too_large`. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface SafeResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: AsyncIterable<Uint8Array>;
  /** Gives the connection up. */
  close(): void;
}

/**
 * Every request of the device agent to an address that somebody else named. https only; each hop of a redirect is
 * checked anew; a name is resolved once for each hop and the connection goes to the address that was checked, so that
 * a name which answers differently later gains nothing. Throws `invalid_argument` for what is refused,
 * `download_failed` for what failed, and the signal's reason.
 */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeResponse>;

const MAX_REDIRECTS = 5;
/** Without a byte for so long, the other end counts as dead. */
const SILENCE_MS = 15_000;
const redirects = new Set([301, 302, 303, 307, 308]);

export function createSafeFetch(deps: SafeFetchDeps): SafeFetch {
  return async (url, request) => {
    let target = parse(url);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const address = await permittedAddress(deps, target, request.signal);
      const response = await send(deps.clock, target, address, request);
      const location = redirects.has(response.statusCode ?? 0) ? response.headers.location : undefined;
      if (location === undefined) return answerOf(deps.clock, response, request);
      response.destroy();
      target = parse(location, target);
    }
    throw new CodedError("download_failed", `The address leads on more than ${MAX_REDIRECTS} times.`);
  };
}

function parse(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw refused("This is no web address.");
  return new URL(text, base);
}

async function permittedAddress(deps: SafeFetchDeps, url: URL, signal: AbortSignal): Promise<string> {
  if (url.username !== "" || url.password !== "")
    throw refused("An address with a user name or password is not fetched.");
  const isTrusted = deps.trustedOrigins.has(url.origin);
  if (url.protocol !== "https:" && !(isTrusted && url.protocol === "http:")) throw refused("Only https is fetched.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await resolveName(deps, host, signal);
  const [first] = addresses;
  if (first === undefined) throw failed("The host name has no address.");
  if (!isTrusted && !addresses.every(deps.isPublic)) {
    throw refused("This address is not on the public internet.", {
      hint: "The owner of the device agent may trust an origin with --install-from; or use push_file and a path.",
    });
  }
  return first;
}

async function resolveName({ resolve }: SafeFetchDeps, host: string, signal: AbortSignal): Promise<string[]> {
  const asked = resolve(host).catch((cause: unknown) => {
    throw failed("The host name is not known.", cause);
  });
  return orAbort(asked, signal);
}

function send(clock: Clock, url: URL, address: string, { headers, signal }: SafeRequest): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_host, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      headers: { "accept-encoding": "identity", "user-agent": "farhand", ...headers },
      agent: false,
      lookup,
      signal,
    });
    const callOff = clock.after(SILENCE_MS, () => request.destroy(new Error("no answer")));
    request.once("response", (response) => {
      callOff();
      resolve(response);
    });
    request.once("error", (error) => {
      callOff();
      reject(signal.aborted ? signal.reason : failed("The other end cannot be reached.", error));
    });
    request.end();
  });
}

function answerOf(clock: Clock, response: IncomingMessage, { maxBytes, signal }: SafeRequest): SafeResponse {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name] = Array.isArray(value) ? value[0] : value;
  if (Number(headers["content-length"]) > maxBytes) {
    response.destroy();
    throw tooLarge(maxBytes);
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    body: readBody(clock, response, maxBytes, signal),
    close: () => void response.destroy(),
  };
}

async function* readBody(clock: Clock, response: IncomingMessage, maxBytes: number, signal: AbortSignal) {
  let left = maxBytes;
  const listen = () => clock.after(SILENCE_MS, () => response.destroy(new Error("silence")));
  let callOff = listen();
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      callOff();
      left -= chunk.length;
      if (left < 0) throw tooLarge(maxBytes);
      yield chunk;
      callOff = listen();
    }
    if (!response.complete) throw failed("The other end broke off.");
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof CodedError ? error : failed("The other end broke off, or fell silent.", error);
  } finally {
    callOff();
    response.destroy();
  }
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

const refused = (message: string, options: { hint?: string } = {}) =>
  new CodedError("invalid_argument", message, { hint: "Use an https address of a public server.", ...options });
const failed = (message: string, cause?: unknown) => new CodedError("download_failed", message, { cause });
const tooLarge = (bytes: number) => new CodedError("too_large", `What is there is larger than ${bytes} bytes.`);
