/** The lines of a long dump that matter, picked on the phone; names of networks in them are not told on. */
export const networkCommand = "dumpsys connectivity | grep -E 'Active default network|NetworkAgentInfo'";

const kinds = { WIFI: "wifi", CELLULAR: "cellular", MOBILE: "cellular", ETHERNET: "ethernet", BLUETOOTH: "bluetooth" };

/**
 * The kind of the network in use: "wifi", "cellular", "ethernet", "bluetooth", "vpn", "none"; null where the phone does
 * not tell. A VPN is told as what it runs over, if that is known. Android 6 to 16 (ConnectivityService.dump).
 */
export function parseNetwork(text: string): string | null {
  const active = /Active default network: (\w+)/.exec(text)?.[1];
  if (active === undefined) return null;
  if (!/^\d+$/.test(active)) return "none";
  const lines = text.split("\n").filter((line) => line.includes("NetworkAgentInfo"));
  const own = new RegExp(`\\bnetwork\\{${active}\\}| - ${active}\\]|\\bnetwork=${active}\\b`);
  const line = lines.find((candidate) => own.test(candidate)) ?? "";
  const told = /Transports: ([\w|]+)/.exec(line)?.[1] ?? /\bni\{(?:\[type: )?(\w+)/.exec(line)?.[1] ?? "";
  for (const [name, kind] of Object.entries(kinds)) if (told.split(/[|_]/).includes(name)) return kind;
  return told.split("|").includes("VPN") ? "vpn" : null;
}
