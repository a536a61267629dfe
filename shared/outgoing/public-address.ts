/** What is not on the public internet, by IANA's registries of special-purpose addresses. */
const specialIpv4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Within 2000::/3, outside of which nothing is public but addresses that hold one of IPv4. */
const specialIpv6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/**
 * Whether an address, in any notation that a system resolver gives, is one of the public internet. A name is not an
 * address.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.split("%")[0] ?? "";
  const four = ipv4Bits(plain);
  if (four !== null) return !specialIpv4.some(([net, prefix]) => isWithin(four, ipv4Bits(net) ?? "", prefix));
  const six = ipv6Bits(plain);
  if (six === null) return false;
  const holdsIpv4 = isWithin(six, ipv6Bits("::ffff:0:0") ?? "", 96) || isWithin(six, ipv6Bits("64:ff9b::") ?? "", 96);
  if (holdsIpv4) return isPublicAddress(ipv4Of(six.slice(96)));
  return six.startsWith("001") && !specialIpv6.some(([net, prefix]) => isWithin(six, ipv6Bits(net) ?? "", prefix));
}

/** True for a literal address of either family, without brackets. */
export const isAddress = (host: string): boolean => ipv4Bits(host) !== null || ipv6Bits(host) !== null;

const isWithin = (bits: string, net: string, prefix: number) => bits.slice(0, prefix) === net.slice(0, prefix);

/** 32 digits of 0 and 1; null for anything but four decimal numbers. */
function ipv4Bits(text: string): string | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes.map((byte) => binary(byte, 8)).join("") : null;
}

/** 128 digits of 0 and 1; null for anything that is no IPv6 address. */
function ipv6Bits(text: string): string | null {
  if (!text.includes(":") || !URL.canParse(`http://[${text}]/`)) return null;
  // The URL parser writes every notation in one way: lower case, no dots, the longest run of zeros left out.
  const [head = "", tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups.map((group) => binary(Number.parseInt(group, 16), 16)).join("");
}

const binary = (value: number, digits: number) => value.toString(2).padStart(digits, "0");

function ipv4Of(bits: string): string {
  return [0, 8, 16, 24].map((start) => Number.parseInt(bits.slice(start, start + 8), 2)).join(".");
}
