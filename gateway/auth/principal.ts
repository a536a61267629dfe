import type { Permission } from "../../shared/permissions.ts";

/** Who a verified token speaks for, and what it may do. */
export interface Principal {
  tenant: string;
  subject: string;
  scopes: readonly Permission[];
  /** Ids of the devices that this token may use, or all of its tenant. */
  devices: "all" | readonly string[];
}

/** Verifies bearer tokens of clients. Resolves with null for a token that is unknown, expired or revoked. */
export interface Authenticator {
  authenticate(token: string): Promise<Principal | null>;
}

/** Verifies what a device agent presents when it dials. */
export interface DeviceAgentAuthenticator {
  authenticateDeviceAgent(token: string): Promise<{ tenant: string } | null>;
}

export type BearerHeader = { token: string } | { problem: "missing" | "malformed" };

/** Reads `Authorization: Bearer …`; the scheme in any case (RFC 9110, section 11.1). */
export function readBearer(header: string | undefined | null): BearerHeader {
  if (!header) return { problem: "missing" };
  const token = /^bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1];
  return token === undefined ? { problem: "malformed" } : { token };
}
