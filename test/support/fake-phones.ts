import type { PhoneFinding } from "../../device-agent/doctor/finding.ts";
import type { Phones } from "../../device-agent/phones.ts";
import type { Device } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import type { DeviceReport } from "../../shared/link/messages.ts";
import { FakeDevice } from "./fake-device.ts";

/** Phones that a test plugs in and out. */
export class FakePhones implements Phones {
  readonly #phones = new Map<string, { report: DeviceReport; device: Device }>();
  /** What a look at any of them finds. */
  findings: PhoneFinding[] = [];
  readonly #listeners = new Set<() => void>();

  /** Adds or replaces a phone; its serial and name follow from the key. */
  plug(key: string, device: Device = new FakeDevice(), about: Partial<DeviceReport> = {}): void {
    const report = { key, serial: `serial-${key}`, name: key, model: "Fake", androidRelease: "14", state: "device" };
    this.#phones.set(key, { report: { ...report, ...about }, device });
    this.#tell();
  }

  unplug(key: string): void {
    this.#phones.delete(key);
    this.#tell();
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  list(): DeviceReport[] {
    return [...this.#phones.values()].map(({ report }) => report);
  }

  open(key: string): Device {
    const phone = this.#phones.get(key);
    if (!phone) throw new CodedError("device_not_found", "There is no such phone here.");
    if (phone.report.state === "unauthorized")
      throw new CodedError("device_unauthorized", "The phone shows its prompt.");
    if (phone.report.state !== "device") throw new CodedError("device_offline", "The phone cannot be reached now.");
    return phone.device;
  }

  async examine(key: string): Promise<PhoneFinding[]> {
    this.open(key);
    return this.findings;
  }

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}
