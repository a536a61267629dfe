import type { Clock } from "../../shared/clock.ts";
import type { DeviceReport } from "../../shared/link/messages.ts";
import type { Phones } from "../phones.ts";
import type { LinkConnection } from "./open-link.ts";

/** Phones come and go in bursts: a hub, a restart of the adb server. */
const settleMs = 50;

/** Tells the gateway, and whoever watches, which phones there are: once at the start, then on every change. */
export interface DeviceReports {
  start(): void;
  /** A link came up; it gets the whole list at once and every change from now on. */
  linked(connection: LinkConnection): void;
  stop(): void;
}

export function createDeviceReports(options: {
  clock: Clock;
  phones: Pick<Phones, "list" | "subscribe">;
  changed: (devices: DeviceReport[]) => void;
}): DeviceReports {
  const { clock, phones } = options;
  let connection: LinkConnection | undefined;
  let told = "";
  let callOff: (() => void) | undefined;
  let unsubscribe = () => {};

  const send = (devices: DeviceReport[]) => {
    void connection?.send({ type: "devices", asOf: clock.now(), devices });
  };
  const tell = () => {
    callOff = undefined;
    const devices = phones.list();
    const text = JSON.stringify(devices);
    if (text === told) return;
    told = text;
    options.changed(devices);
    send(devices);
  };

  return {
    start() {
      unsubscribe = phones.subscribe(() => {
        callOff ??= clock.after(settleMs, tell);
      });
      tell();
    },
    linked(newer) {
      connection = newer;
      send(phones.list());
    },
    stop() {
      unsubscribe();
      callOff?.();
    },
  };
}
