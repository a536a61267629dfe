import {
  Adb,
  AdbBanner,
  type AdbFeature,
  type AdbServerClient,
  type AdbSocket,
  type AdbTransport,
} from "@yume-chan/adb";
import { CodedError } from "../../../shared/errors.ts";
import { adbFailure, UnansweredOpen } from "../errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import type { DeviceRow } from "./device-list.ts";

const plainSerial = /^[\w.:@-]+$/;

/**
 * The host service that chooses the phone. By serial wherever that is unique, since the numbers of transports start
 * again at 1 with every server and would then name another phone.
 */
export function switchService(row: DeviceRow, rows: readonly DeviceRow[]): string {
  const unique = rows.filter((other) => other.serial === row.serial).length === 1;
  if ((unique && plainSerial.test(row.serial)) || row.transportId === undefined) return `host:transport:${row.serial}`;
  return `host:transport-id:${row.transportId}`;
}

/** A phone of the adb server. Keeps nothing per command: the library's own transport keeps every socket for ever. */
export async function openServerConnection(
  client: AdbServerClient,
  row: DeviceRow,
  chooser: string,
  signal: AbortSignal,
): Promise<PhoneConnection> {
  const features = (await readFeatures(client, chooser, signal)) as AdbFeature[];
  const transport = createServerTransport(client, row, chooser, features);
  return {
    features,
    maxServiceBytes: 65_535,
    adb: new Adb(transport),
    open: (service, openSignal) => openService(client, chooser, service, openSignal),
  };
}

function createServerTransport(
  client: AdbServerClient,
  row: DeviceRow,
  chooser: string,
  features: readonly AdbFeature[],
): AdbTransport {
  const unsupported = () => {
    throw new TypeError("Reverse tunnels are not used.");
  };
  return {
    serial: row.serial,
    maxPayloadSize: 1024 * 1024,
    banner: new AdbBanner("device", row.product, row.model, undefined, [...features]),
    // Never settles: newer servers answer "wait for disconnect" at once, so the device list tells instead.
    disconnected: new Promise(() => {}),
    clientFeatures: features,
    connect: (service) => openService(client, chooser, service, new AbortController().signal),
    addReverseTunnel: unsupported,
    removeReverseTunnel: unsupported,
    clearReverseTunnels: unsupported,
    close() {},
  };
}

async function readFeatures(client: AdbServerClient, chooser: string, signal: AbortSignal): Promise<string[]> {
  try {
    const stream = await client.createConnection(chooser, { signal });
    try {
      await stream.writeString("host:features");
      await stream.readOkay();
      return (await stream.readString()).split(",");
    } finally {
      await stream.dispose();
    }
  } catch (error) {
    throw adbFailure(error);
  }
}

async function openService(
  client: AdbServerClient,
  chooser: string,
  service: string,
  signal: AbortSignal,
): Promise<AdbSocket> {
  const stream = await client.createConnection(chooser, { signal }).catch((error: unknown) => {
    throw adbFailure(error);
  });
  try {
    await stream.writeString(service);
    await stream.readOkay();
    return { service, ...stream.release() };
  } catch (error) {
    stream.dispose().catch(() => {});
    if (isRefusal(error)) throw adbFailure(error);
    const { code, message } = adbFailure(error);
    throw new CodedError(code, message, { cause: new UnansweredOpen(error) });
  }
}

/** A FAIL of the server arrives as a plain Error without a code: nothing was begun. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error && !("code" in error);
}
