import type { Device } from "../shared/device.ts";
import type { DeviceReport } from "../shared/link/messages.ts";
import type { PhoneFinding } from "./doctor/finding.ts";

/** The phones beside this device agent, as they come and go. */
export interface Phones {
  /** Begins to watch. Resolves after the first look; a missing adb server is not an error, it is waited for. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Every phone, whatever its state, in a stable order. */
  list(): DeviceReport[];
  /** Throws `device_not_found`, `device_offline`, `device_unauthorized`. The handle may outlive a short flap. */
  open(key: string): Device;
  /** What keeps others from working with this phone, and what would help. Throws as open does. */
  examine(key: string, signal: AbortSignal): Promise<PhoneFinding[]>;
  /** Tells when list() changed. Returns the way to stop it. */
  subscribe(changed: () => void): () => void;
}
