/** One row of `host:devices-l`, whatever its state. */
export interface DeviceRow {
  serial: string;
  /** ADB's word, verbatim. */
  state: string;
  /** For a person, when the state is not `device`. */
  hint: string | undefined;
  product: string | undefined;
  model: string | undefined;
  /** The USB path, where the server tells it. */
  usb: string | undefined;
  /** Absent from servers that do not number their transports. */
  transportId: string | undefined;
}

const knownStates = [
  "device",
  "offline",
  "unauthorized",
  "authorizing",
  "connecting",
  "recovery",
  "rescue",
  "sideload",
  "bootloader",
  "host",
  "detached",
  "unknown",
];

const hints: Record<string, string> = {
  offline: "The phone does not answer: unlock it, or unplug it and plug it in again.",
  unauthorized: "Unlock the phone and accept the USB debugging prompt.",
  authorizing: "The phone is being asked to accept this computer; accept the prompt on its screen.",
  connecting: "The connection is being made.",
  recovery: "The phone is in recovery; start Android.",
  rescue: "The phone is in rescue mode; start Android.",
  sideload: "The phone waits for an update file; start Android.",
  bootloader: "The phone is in its bootloader; start Android.",
  "no permissions": "This user may not open the USB device: install the udev rules for Android, then plug in again.",
  detached: "The adb server has let go of this USB device.",
};

/** What a person can do about a state; undefined for `device`. */
export function stateHint(state: string): string | undefined {
  if (state === "device") return undefined;
  const key = Object.keys(hints).find((known) => state.startsWith(known));
  return (key && hints[key]) ?? "The adb server reports a state that is not ready for use.";
}

/**
 * Rows of `adb devices -l`. Read from the right, since a serial may hold spaces while the attributes may not. A line
 * that is no row (chatter of a starting server, the headline) is left out; no line hides another.
 * Format: AOSP packages/modules/adb/transport.cpp, append_transport.
 */
export function parseDeviceList(text: string): DeviceRow[] {
  return text.split(/\r?\n/).flatMap((line) => parseDeviceRow(line) ?? []);
}

function parseDeviceRow(line: string): DeviceRow | undefined {
  if (/^\s*$|^\* |^List of devices attached|^adb server /.test(line)) return undefined;
  const { rest, attributes } = splitAttributes(line.trimEnd());
  const found = splitState(rest);
  if (!found) return undefined;
  return {
    ...found,
    hint: stateHint(found.state),
    product: attributes.get("product"),
    model: attributes.get("model")?.replaceAll("_", " "),
    usb: attributes.get("usb"),
    transportId: attributes.get("transport_id"),
  };
}

const attribute = /\s+(product|model|device|transport_id|usb|features):(\S*)$/;
const bareUsbPath = /\s+(\d+-[\d.]+)$/;

function splitAttributes(line: string): { rest: string; attributes: Map<string, string> } {
  const attributes = new Map<string, string>();
  let rest = line;
  for (;;) {
    const named = attribute.exec(rest);
    const path = named ? null : bareUsbPath.exec(rest);
    if (named?.[1] !== undefined) attributes.set(named[1], named[2] ?? "");
    else if (path?.[1] !== undefined) attributes.set("usb", path[1]);
    else return { rest, attributes };
    rest = rest.slice(0, (named ?? path)?.index);
  }
}

const noPermissions = /^(.*?)\s*\b(no permissions\b.*)$/;

function splitState(text: string): { serial: string; state: string } | undefined {
  const denied = noPermissions.exec(text);
  if (denied) return { serial: (denied[1] ?? "").trim() || "????????????", state: denied[2] ?? "no permissions" };
  const tab = text.lastIndexOf("\t");
  const gap = tab > 0 ? tab : lastGap(text);
  if (gap <= 0) return undefined;
  const serial = text.slice(0, gap).trim();
  const state = text.slice(gap).trim();
  return serial === "" || state === "" ? undefined : { serial, state };
}

/** Where the last word begins. A known state of two or more words does not exist, so the last word is the state. */
function lastGap(text: string): number {
  const match = /\s+\S+$/.exec(text);
  if (!match) return -1;
  const word = match[0].trim();
  return knownStates.includes(word) || /^[a-z]+$/.test(word) ? match.index : -1;
}
