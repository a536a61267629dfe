import { type ListedDevice, listedDevice } from "../shared/tools/devices.ts";

/** Asks the gateway as any MCP client would, until it lists `count` devices or time is up. */
export async function listDevices(
  mcp: string,
  token: string,
  count: number,
  timeoutMs: number,
): Promise<ListedDevice[]> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const devices = await ask(mcp, token);
    if (devices.length >= count || Date.now() > until) return devices;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function ask(mcp: string, token: string): Promise<ListedDevice[]> {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_devices", arguments: {} } };
  const response = await fetch(mcp, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(call),
  });
  const body = (await response.json()) as { result?: { structuredContent?: { devices?: unknown[] } } };
  return (body.result?.structuredContent?.devices ?? []).flatMap((one) => {
    const device = listedDevice.safeParse(one);
    return device.success ? [device.data] : [];
  });
}
