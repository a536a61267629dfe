import { CodedError } from "../../../shared/errors.ts";
import { limits } from "../../../shared/limits.ts";
import { isAddress, isPublicAddress } from "../../../shared/outgoing/public-address.ts";
import type { PushConfig } from "../task-store.ts";

/** What goes into a header: no control character can end it. */
const headerSafe = /^[\x20-\x7e]{1,4096}$/;
/** RFC 9110, section 5.6.2. */
const schemeToken = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

/**
 * Refuses a webhook that could never be called, or must not be. What a name leads to is looked at when it is called:
 * it may change. Throws `invalid_argument`.
 */
export function checkPushConfig(config: PushConfig, trustedOrigins: ReadonlySet<string>): void {
  checkAddress(config.url, trustedOrigins);
  if (!/^[\x21-\x7e]+$/.test(config.id) || config.id.length > limits.taskIdBytes) {
    throw refused(`id has 1 to ${limits.taskIdBytes} printable characters without spaces.`);
  }
  if (config.token !== null && !headerSafe.test(config.token))
    throw refused("token holds characters that no header may carry.");
  if (config.scheme !== null && !schemeToken.test(config.scheme))
    throw refused("authentication.scheme is no scheme of HTTP.");
  if (config.credentials !== null && !headerSafe.test(config.credentials)) {
    throw refused("authentication.credentials holds characters that no header may carry.");
  }
  if (config.scheme === null && config.credentials !== null)
    throw refused("authentication.credentials needs a scheme.");
}

function checkAddress(text: string, trustedOrigins: ReadonlySet<string>): void {
  if (text.length > limits.addressChars || !URL.canParse(text)) throw refused("url is no web address.");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw refused("url must not carry a user name or a password.");
  if (trustedOrigins.has(url.origin)) return;
  if (url.protocol !== "https:") throw refused("url must begin with https://.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isAddress(host) && !isPublicAddress(host)) throw refused("url is not on the public internet.");
}

const refused = (rule: string) =>
  new CodedError("invalid_argument", `The push notification configuration does not fit: ${rule}`, {
    hint: "Give an https address of a public server; the operator may trust another origin with --webhook-origins.",
  });
