import type { Adb, AdbSocket } from "@yume-chan/adb";

/** One ADB transport to one phone, for as long as it lives. Never reused after it was lost. */
export interface PhoneConnection {
  /** What adbd offers, for example `shell_v2`. */
  readonly features: readonly string[];
  /** The longest service string that may be sent, in bytes. */
  readonly maxServiceBytes: number;
  /** For the parts of the library that want one. */
  readonly adb: Adb;
  /** Opens a service of the phone. Throws CodedError; the socket is closed when `signal` aborts. */
  open(service: string, signal: AbortSignal): Promise<AdbSocket>;
}

/** Gives the transport that is current now, waiting for a short flap to end. Throws `device_offline` and the like. */
export type Connect = (signal: AbortSignal) => Promise<PhoneConnection>;
