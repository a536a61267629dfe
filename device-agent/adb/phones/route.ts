import type { PhoneConnection } from "./connection.ts";

/** One way to a phone as a source sees it now: a row of the adb server, or an address that we dial ourselves. */
export interface Route {
  /** Never used again for anything else: a new server, a new connection or a new transport has a new id. */
  readonly id: string;
  /** ADB's, or the address that we dial. */
  readonly serial: string;
  /** Dialled by ourselves: its address says where the phone is, and not which phone. */
  readonly isDialled?: boolean;
  readonly state: string;
  readonly hint: string | undefined;
  /** From the list, before the phone itself was asked. */
  readonly model: string | undefined;
  /** The USB path, where it is known. */
  readonly usb: string | undefined;
  /** Opens, or returns what is open. Throws CodedError. */
  connect(signal: AbortSignal): Promise<PhoneConnection>;
}

/** Where routes come from. */
export interface RouteSource {
  /** Resolves after the first look. `changed` gets all routes of this source, each time. */
  start(changed: (routes: Route[]) => void): Promise<void>;
  stop(): Promise<void>;
}
