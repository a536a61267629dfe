import { sha256Hex } from "./sha256.ts";

/** `dev_` and 20 hex digits: the same as long as the device agent names the phone by the same key. */
export async function deviceIdOf(deviceAgentId: string, key: string): Promise<string> {
  return `dev_${(await sha256Hex(JSON.stringify([deviceAgentId, key]))).slice(0, 20)}`;
}
