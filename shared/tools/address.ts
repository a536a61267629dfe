import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";

/** Kinds of addresses that may be opened; each shows something and none acts by itself. */
const schemes = new Set(["http", "https", "geo", "mailto", "tel", "market", "sms", "smsto"]);
/** What cannot be seen does not belong in an address: control, format and separator characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** An address in the form in which it goes to the phone. Throws `invalid_argument`. */
export function checkAddress(text: string): string {
  if (text.length > limits.addressChars) throw refused(`The address is longer than ${limits.addressChars} characters.`);
  if (unseen.test(text) || text.trim() !== text) {
    throw refused("The address has blanks around it or characters that cannot be seen.");
  }
  const [, scheme = "", rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/u.exec(text) ?? [];
  const kind = scheme.toLowerCase();
  if (!schemes.has(kind)) throw refused("This kind of address is not opened.");
  if ((kind === "http" || kind === "https") && !hasHost(text)) throw refused("The address names no host.");
  // Dialled codes between * and # act on the phone or the network, on some phones as soon as they are shown.
  if (kind === "tel" && /[*#]|%2[3a]/i.test(rest)) throw refused("A number with * or # is not opened.");
  if (rest === "") throw refused("The address has nothing after its colon.");
  return `${kind}:${rest}`;
}

function hasHost(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) && new URL(text).hostname !== "";
}

function refused(message: string): CodedError {
  return new CodedError("invalid_argument", message, {
    hint: `Addresses begin with one of ${[...schemes].map((scheme) => `${scheme}:`).join(" ")}`,
  });
}
