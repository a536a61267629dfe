import { CodedError } from "../shared/errors.ts";
import type { Principal } from "./auth/principal.ts";
import type { DirectoryDevice } from "./directory.ts";

/** Devices that a principal may know of; those of others do not exist for it. */
export function visibleDevices(devices: readonly DirectoryDevice[], principal: Principal): DirectoryDevice[] {
  return devices.filter(
    ({ id, tenant }) => tenant === principal.tenant && (principal.devices === "all" || principal.devices.includes(id)),
  );
}

/** A phone that was there so recently still counts as one that might be meant. */
const rememberedMs = 10 * 60_000;

/**
 * The one device that a call means: by id, or by name in any case; left out, the caller's only one. Throws
 * `device_not_found`, or `invalid_argument` that lists the names to choose from.
 */
export function resolveDevice(
  visible: readonly DirectoryDevice[],
  wanted: string | undefined,
  now: number,
): DirectoryDevice {
  if (wanted !== undefined) return named(visible, wanted);
  // A phone that is long gone must not force everybody to name the one that is there; one unplugged a moment ago
  // must, or the call would land on another phone.
  const present = visible.filter(({ state, asOf }) => state !== "offline" || now - asOf < rememberedMs);
  const [only, ...others] = present.length > 0 ? present : visible;
  if (!only) {
    throw new CodedError("device_not_found", "There is no device yet.", {
      hint: "Start a device agent with a phone attached, then run list_devices.",
    });
  }
  if (others.length === 0) return only;
  const meant = [only, ...others];
  throw new CodedError("invalid_argument", `There are ${meant.length} devices; say which one is meant.`, {
    hint: `Give device: ${listNames(meant)}.`,
  });
}

function named(visible: readonly DirectoryDevice[], wanted: string): DirectoryDevice {
  const folded = wanted.trim().toLowerCase();
  const byId = visible.find(({ id }) => id === folded);
  if (byId) return byId;
  const [match, ...others] = visible.filter(({ name }) => name.toLowerCase() === folded);
  if (!match) throw new CodedError("device_not_found", "There is no such device for this caller.");
  if (others.length === 0) return match;
  throw new CodedError("invalid_argument", "Several devices have this name.", {
    hint: `Give one of these ids: ${[match, ...others].map(({ id }) => id).join(", ")}.`,
  });
}

const namesShown = 10;

function listNames(devices: readonly DirectoryDevice[]): string {
  const names = devices.slice(0, namesShown).map(({ name }) => JSON.stringify(name));
  return devices.length > namesShown ? `${names.join(", ")} or another of list_devices` : names.join(" or ");
}
