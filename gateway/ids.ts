import { sha256Hex } from "../shared/sha256.ts";

/** Minted by the gateway from what was authenticated: the same installation of a tenant always gets the same id. */
export async function deviceAgentIdOf(tenant: string, installId: string): Promise<string> {
  return `da_${(await sha256Hex(JSON.stringify([tenant, installId]))).slice(0, 24)}`;
}
