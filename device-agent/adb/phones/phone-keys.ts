import type { Identity } from "./identity.ts";

/** Serials that makers forgot to set: they name no phone. */
const meaningless = /^(0+|0123456789ABCDEF|123456789(ABCDEF0?)?|unknown|none|null|\?+|\(no serial number\))?$/i;

/**
 * Gives each phone its key: the hardware serial, so that it is the same after a restart and by every way to the
 * phone. Only where a serial is shared by two phones, or says nothing, a part of the fingerprint is added.
 */
export class PhoneKeys {
  readonly #holders = new Map<string, Identity>();

  /** `isConnected` tells whether the phone that holds a key is there right now. */
  keyFor(identity: Identity, adbSerial: string, isConnected: (key: string) => boolean): string {
    const { hardwareSerial } = identity;
    const fingerprint = identity.androidId || identity.bootId;
    if (meaningless.test(hardwareSerial)) {
      return this.#hold(fingerprint === "" ? adbSerial : `${hardwareSerial || "phone"}.${fingerprint}`, identity);
    }
    const holder = this.#holders.get(hardwareSerial);
    const isSame =
      !holder || isSamePhone(holder, identity) || (!canTell(holder, identity) && !isConnected(hardwareSerial));
    return this.#hold(isSame ? hardwareSerial : `${hardwareSerial}.${fingerprint}`, identity);
  }

  #hold(key: string, identity: Identity): string {
    this.#holders.set(key, identity);
    return key;
  }
}

function isSamePhone(one: Identity, other: Identity): boolean {
  if (one.androidId !== "" && other.androidId !== "") return one.androidId === other.androidId;
  return one.bootId === other.bootId || one.bootId === "" || other.bootId === "";
}

/** Boot ids that differ prove nothing by themselves: the phone may have been restarted. */
const canTell = (one: Identity, other: Identity) => one.androidId !== "" && other.androidId !== "";
