import type { Authenticator, DeviceAgentAuthenticator, Principal } from "./principal.ts";

/** 32–256 printable ASCII characters without spaces. */
export const staticTokenPattern = /^[\x21-\x7e]{32,256}$/;

export interface StaticToken {
  token: string;
  principal: Principal;
  /** Whether device agents may dial with it too. */
  deviceAgents: boolean;
}

/** Tokens that are known from the configuration; they never expire and are not written anywhere. */
export function createStaticTokens(entries: readonly StaticToken[]): Authenticator & DeviceAgentAuthenticator {
  for (const { token } of entries) {
    if (!staticTokenPattern.test(token)) throw new TypeError("A static token has 32 to 256 printable characters.");
  }
  const find = (token: string): StaticToken | null => {
    let found: StaticToken | null = null;
    // Every entry is compared, so that time tells nothing about which one came close.
    for (const entry of entries) if (isSame(token, entry.token)) found = entry;
    return found;
  };

  return {
    async authenticate(token) {
      return find(token)?.principal ?? null;
    },
    async authenticateDeviceAgent(token) {
      const entry = find(token);
      return entry?.deviceAgents ? { tenant: entry.principal.tenant } : null;
    },
  };
}

const longest = 256;

/** Takes the same time whatever the two tokens have in common. */
function isSame(given: string, known: string): boolean {
  let difference = given.length ^ known.length;
  // Beyond its end a text has no character code: NaN, which counts as 0.
  for (let index = 0; index < longest; index++) difference |= given.charCodeAt(index) ^ known.charCodeAt(index);
  return difference === 0;
}
