import { Adb, type AdbTransport } from "@yume-chan/adb";
import type { PhoneConnection } from "../phones/connection.ts";

/** An Adb for parts of the library that take no signal: whatever they open is given up when `signal` aborts. */
export function abortableAdb(connection: PhoneConnection, signal: AbortSignal): Adb {
  const { serial, maxPayloadSize, banner, disconnected, clientFeatures } = connection.adb.transport;
  const unsupported = () => {
    throw new TypeError("Reverse tunnels are not used.");
  };
  const transport: AdbTransport = {
    serial,
    maxPayloadSize,
    banner,
    disconnected,
    clientFeatures,
    connect: (service) => connection.open(service, signal),
    addReverseTunnel: unsupported,
    removeReverseTunnel: unsupported,
    clearReverseTunnels: unsupported,
    close() {},
  };
  return new Adb(transport);
}
