import { CodedError, type ErrorCode } from "../shared/errors.ts";
import type { Principal } from "./auth/principal.ts";
import type { DirectoryDevice } from "./directory.ts";

/** As far as the device agent has told; it has the last word. */
export function isLeased({ leaseHolder, leaseExpiresAt }: DirectoryDevice, now: number): boolean {
  return leaseHolder !== null && leaseExpiresAt !== null && leaseExpiresAt > now;
}

export interface Wish {
  device?: unknown;
  label?: unknown;
  any?: unknown;
}

/** Whether the caller leaves the choice to the gateway. Throws `invalid_argument` when it says two things at once. */
export function isFreeChoice({ device, label, any }: Wish): boolean {
  const given = [device, label, any === true ? any : undefined].filter((value) => value !== undefined);
  if (given.length > 1) throw new CodedError("invalid_argument", "Give one of device, label and any.");
  return given.length === 1 && device === undefined;
}

/** The phones that a free choice allows, those first of which nobody is known to hold them. */
export function freeChoice(visible: readonly DirectoryDevice[], { label }: Wish, now: number): DirectoryDevice[] {
  const fitting = label === undefined ? visible : visible.filter(({ labels }) => labels.includes(String(label)));
  if (fitting.length === 0) {
    throw new CodedError(
      "device_not_found",
      label === undefined ? "There is no device yet." : "No device has this label.",
    );
  }
  const ready = byName(fitting).filter(({ state }) => state === "device");
  if (ready.length === 0) {
    throw new CodedError("device_offline", "None of the devices that fit is ready for use.", {
      hint: "Run list_devices to see what each one needs.",
    });
  }
  return [...ready.filter((device) => !isLeased(device, now)), ...ready.filter((device) => isLeased(device, now))];
}

/** The phones on which a lease of this principal may be, the likeliest first. */
export function heldChoice(
  visible: readonly DirectoryDevice[],
  { subject }: Principal,
  now: number,
): DirectoryDevice[] {
  const isHeld = (device: DirectoryDevice) => isLeased(device, now) && device.leaseHolder === subject;
  const all = byName(visible);
  return [...all.filter(isHeld), ...all.filter((device) => !isHeld(device))];
}

/** Reasons of one phone that say nothing of the next one. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "device_busy",
  "device_offline",
  "device_unauthorized",
  "device_not_allowed",
  "device_not_found",
  "write_disabled",
  "target_not_found",
  "unsupported",
]);

/**
 * Asks one phone after the other until one takes the call. Throws what ends the search at once; when nobody takes it,
 * `device_busy` if waiting may help, else the last reason.
 */
export async function tryInTurn<T>(
  devices: readonly DirectoryDevice[],
  attempt: (device: DirectoryDevice) => Promise<T>,
): Promise<T> {
  const reasons: CodedError[] = [];
  for (const device of devices) {
    try {
      return await attempt(device);
    } catch (thrown) {
      if (!(thrown instanceof CodedError && passing.has(thrown.code))) throw thrown;
      reasons.push(thrown);
    }
  }
  const waits = reasons.filter(({ code }) => code === "device_busy").map(({ retryAfterMs }) => retryAfterMs ?? 1_000);
  if (waits.length === 0 || reasons.length === 1) throw reasons.at(-1) ?? new TypeError("There was nobody to ask.");
  throw new CodedError("device_busy", `None of the ${reasons.length} devices that fit is free now.`, {
    hint: "list_devices tells who holds which device and until when.",
    retryAfterMs: Math.min(...waits),
  });
}

/** In the order of lists. */
export function byName(devices: readonly DirectoryDevice[]): DirectoryDevice[] {
  return [...devices].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}
