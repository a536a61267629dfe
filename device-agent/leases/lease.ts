/** The right of one caller to be the only one who writes on one phone, for a while. */
export interface Lease {
  id: string;
  /** The phone's key. */
  phone: string;
  /** Whose writes pass, as callerOf tells it. */
  caller: string;
  /** The caller as others are told of it. */
  holder: string;
  purpose?: string | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
}
