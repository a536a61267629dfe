import type { DeviceReport } from "../shared/link/messages.ts";

/** One phone as the gateway knows it. */
export interface DirectoryDevice {
  id: string;
  tenant: string;
  deviceAgentId: string;
  /** The device agent's own key of it. */
  key: string;
  /** Unique in its tenant, ignoring case. */
  name: string;
  model: string;
  androidRelease: string;
  state: string;
  hint: string | null;
  labels: string[];
  foregroundApp: string | null;
  /** Who holds it by a lease, and until when (milliseconds since 1970 by the device agent's clock). */
  leaseHolder: string | null;
  leaseExpiresAt: number | null;
  /** The id of the Task that works on it. */
  runningTask: string | null;
  /** When the device agent made the report, in milliseconds since 1970 by the gateway's clock. */
  asOf: number;
}

export interface DeviceAgentRecord {
  id: string;
  tenant: string;
  installId: string;
  name: string;
  version: string;
  bootId: string;
  connectSeq: number;
}

export interface DevicePage {
  devices: DirectoryDevice[];
  nextCursor: string | null;
}

/** Device agents and devices that were ever reported, in the store. */
export interface Directory {
  /** Creates or updates; false when the stored `connectSeq` is not older, and then nothing changed. */
  admitDeviceAgent(record: DeviceAgentRecord, now: number): Promise<boolean>;
  /**
   * Replaces what is known of this device agent's devices; those that it no longer names are kept as `offline`.
   * Resolves with all of its devices.
   */
  saveReport(deviceAgentId: string, reports: readonly DeviceReport[], now: number): Promise<DirectoryDevice[]>;
  /** All devices, for the cache that calls are resolved with. */
  load(): Promise<DirectoryDevice[]>;
  /** One SELECT, ordered by name. `only` limits it to these ids. Throws `invalid_argument` for a foreign cursor. */
  page(query: {
    tenant: string;
    only: readonly string[] | "all";
    limit: number;
    cursor: string | undefined;
  }): Promise<DevicePage>;
}
