import type { ListedDevice } from "../shared/tools/devices.ts";

/** What `up` says when everything is up. */
export interface Ready {
  event: "ready";
  url: string;
  mcp: string;
  a2a: string;
  /** Null while this version does not serve it. */
  console: string | null;
  panel: string | null;
  /** Null when the token was given: it is known already, and never printed. */
  token: string | null;
  devices: { id: string; name: string; serial: string; state: string }[];
}

export function announcement(ready: Ready, listed: ListedDevice[]): string[] {
  const token = ready.token ?? "<the token you gave>";
  const client = {
    mcpServers: { farhand: { type: "http", url: ready.mcp, headers: { Authorization: `Bearer ${token}` } } },
  };
  return [
    "",
    "Farhand is up.",
    "",
    `  MCP      ${ready.mcp}`,
    `  A2A      ${ready.a2a}`,
    `  Token    ${token}`,
    "",
    ready.devices.length === 0
      ? "  No phone yet. Connect one and allow USB debugging; it appears here by itself."
      : "  Phones",
    ...listed.flatMap((device) => phoneLines(device, ready.devices.find(({ id }) => id === device.id)?.serial ?? "")),
    "",
    "  For an MCP client:",
    "",
    ...JSON.stringify(client, null, 2)
      .split("\n")
      .map((line) => `  ${line}`),
    "",
    "  Ctrl-C stops everything.",
    "",
  ];
}

function phoneLines(device: ListedDevice, serial: string): string[] {
  const line = `    ${device.name}  ${device.id}  ${serial}  Android ${device.android}  ${device.state}`;
  return device.hint ? [line, `      ${device.hint}`] : [line];
}
