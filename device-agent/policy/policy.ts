import type { Permission } from "../../shared/permissions.ts";
import type { PolicyRules, Verdict } from "./policy-schema.ts";

export interface PhoneNames {
  /** The hardware serial where the phone has one: the same by cable and by network. */
  key: string;
  /** As adb shows it; an address when the phone is reached by network. */
  serial: string;
  name: string;
}

/** Grants given on the command line, for this run. */
export interface Grants {
  /** For every phone. */
  all: readonly Permission[];
  /** By serial; the strongest word of all. */
  bySerial: Readonly<Record<string, readonly Permission[]>>;
}

export interface AppLimits {
  /** Undefined: every app that is not denied. */
  allowed: readonly string[] | undefined;
  denied: readonly string[];
}

/** What the owner of the phones allows others to do. Asked for every call, so that a change holds from the next one. */
export interface Policy {
  verdict(phone: PhoneNames, permission: Permission): Verdict;
  /** Whether the phone is on the owner's list, if there is one. */
  allowsPhone(phone: PhoneNames): boolean;
  appLimits(): AppLimits;
  /** One sentence that tells the owner how to allow it. */
  howToAllow(permission: Permission): string;
}

/** Leases and Tasks carry calls that are judged one by one. */
const builtIn: Record<Permission, Verdict> = {
  "screen:read": "allow",
  "screen:write": "ask",
  "device:danger": "deny",
  "device:lease": "allow",
  "task:run": "allow",
};

/**
 * The most particular word counts: a grant for the serial, the file's entry for the phone, a grant for all phones, the
 * file's default, the built-in default.
 */
export function createPolicy(options: { rules: () => PolicyRules; grants: Grants; path: string }): Policy {
  const { rules, grants, path } = options;
  return {
    verdict(phone, permission) {
      const granted = serialsOf(phone).some((serial) => own(grants.bySerial, serial)?.includes(permission));
      if (granted) return "allow";
      const forPhone = [...serialsOf(phone), phone.name].map((name) => own(rules().devices, name)?.[permission]);
      return (
        forPhone.find((verdict) => verdict !== undefined) ??
        (grants.all.includes(permission) ? "allow" : (rules().default[permission] ?? builtIn[permission]))
      );
    },
    allowsPhone(phone) {
      const { allowedSerials } = rules();
      return allowedSerials === undefined || serialsOf(phone).some((serial) => allowedSerials.includes(serial));
    },
    appLimits: () => ({ allowed: rules().allowedApps, denied: rules().deniedApps }),
    howToAllow: (permission) =>
      `Ask the phone's owner to ${startWith(permission)}set "${permission}" to "allow" in ${path} on the device agent's machine.`,
  };
}

function serialsOf({ key, serial }: PhoneNames): string[] {
  return [key, serial];
}

function startWith(permission: Permission): string {
  if (permission === "screen:write") return "start the device agent with --allow write, or to ";
  if (permission === "device:danger") return "start the device agent with --allow danger, or to ";
  return "";
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return key !== "" && Object.hasOwn(record, key) ? record[key] : undefined;
}
