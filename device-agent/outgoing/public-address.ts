import { BlockList, isIP } from "node:net";

/** What is not on the public internet, by IANA's registries of special-purpose addresses. */
const ipv4: readonly (readonly [string, number])[] = [
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
const ipv6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Tells whether an address, in any notation that the system resolver gives, is one of the public internet. */
export type IsPublicAddress = (address: string) => boolean;

export function createIsPublicAddress(): IsPublicAddress {
  const special = new BlockList();
  for (const [net, prefix] of ipv4) special.addSubnet(net, prefix, "ipv4");
  for (const [net, prefix] of ipv6) special.addSubnet(net, prefix, "ipv6");
  const global = new BlockList();
  global.addSubnet("2000::", 3, "ipv6");

  const isPublic = (address: string): boolean => {
    const plain = address.split("%")[0] ?? "";
    const kind = isIP(plain);
    if (kind === 4) return !special.check(plain, "ipv4");
    if (kind !== 6) return false;
    const within = embeddedIpv4(plain);
    if (within !== undefined) return isPublic(within);
    return global.check(plain, "ipv6") && !special.check(plain, "ipv6");
  };
  return isPublic;
}

/** The IPv4 address inside ::ffff:0:0/96 (mapped) and 64:ff9b::/96 (translated), in dots. */
function embeddedIpv4(address: string): string | undefined {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [, high = "", low = ""] = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(groups) ?? [];
  if (high === "") return undefined;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join(".");
}
