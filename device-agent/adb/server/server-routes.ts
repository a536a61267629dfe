import { AdbServerClient } from "@yume-chan/adb";
import { type Clock, pause } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/log.ts";
import { BackOff } from "../phones/back-off.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import type { Route, RouteSource } from "../phones/route.ts";
import { withDeadline } from "../shell/deadline.ts";
import { type AdbServerAddress, createServerConnector } from "./connector.ts";
import { type DeviceRow, parseDeviceList } from "./device-list.ts";
import { NetworkPhones } from "./network-phones.ts";
import { openServerConnection, switchService } from "./server-connection.ts";

export interface ServerRoutesOptions {
  address: AdbServerAddress;
  clock: Clock;
  random: () => number;
  logger: Logger;
  /** Called once, when no server answers at the first look. */
  startServer: (() => Promise<void>) | undefined;
}

const ANSWER_MS = 5000;

/**
 * Follows the device list of an adb server. When the server goes, the list is empty at once, and the next server is
 * looked for until it comes; whatever belonged to the old one is never used again.
 */
export function createServerRoutes(options: ServerRoutesOptions): RouteSource {
  const { clock, random, logger } = options;
  const client = new AdbServerClient(createServerConnector(options.address));
  const stopping = new AbortController();
  let generation = 0;
  let running: Promise<void> = Promise.resolve();

  const follow = async (changed: (routes: Route[]) => void, looked: () => void): Promise<void> => {
    const backOff = new BackOff(100, 1500, random);
    const network = new NetworkPhones(client, clock);
    let known = new Map<string, Route>();
    let startServer = options.startServer;
    while (!stopping.signal.aborted) {
      generation += 1;
      const prefix = `server${generation}`;
      const server = new AbortController();
      await track(client, clock, stopping.signal, (rows) => {
        backOff.reset();
        network.update(rows, server.signal);
        known = routesOf(client, clock, rows, prefix, known);
        changed([...known.values()]);
        looked();
      }).catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.debug("the adb server does not answer", { cause: error });
      });
      server.abort();
      network.serverLost();
      known = new Map();
      if (stopping.signal.aborted) return;
      changed([]);
      if (startServer) {
        await startServer().catch((error: unknown) => logger.warn("the adb server did not start", { cause: error }));
        startServer = undefined;
        continue;
      }
      looked();
      await pause(clock, backOff.next(), stopping.signal).catch(() => {});
    }
  };

  return {
    start(changed) {
      return new Promise((looked) => {
        running = follow(changed, looked);
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Old servers know the short list only. */
const trackServices = ["host:track-devices-l", "host:track-devices"];

async function track(
  client: AdbServerClient,
  clock: Clock,
  stopping: AbortSignal,
  onRows: (rows: DeviceRow[]) => void,
): Promise<void> {
  const stream = await openTracking(client, clock, stopping);
  const dispose = () => void stream.dispose().catch(() => {});
  stopping.addEventListener("abort", dispose, { once: true });
  try {
    for (;;) onRows(parseDeviceList(await stream.readString()));
  } finally {
    stopping.removeEventListener("abort", dispose);
    dispose();
  }
}

/** A server that takes the connection and says nothing is given up after a while. */
async function openTracking(client: AdbServerClient, clock: Clock, stopping: AbortSignal) {
  let failure: unknown;
  for (const service of trackServices) {
    const limit = { clock, ms: ANSWER_MS, signal: stopping, task: "answer by its adb server" };
    try {
      return await withDeadline(limit, (signal) => client.createConnection(service, { signal }));
    } catch (error) {
      if (!/unknown host service/.test(String(error))) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Routes of the rows; one that did not change stays the same object, with its open connection. */
function routesOf(
  client: AdbServerClient,
  clock: Clock,
  rows: DeviceRow[],
  prefix: string,
  known: ReadonlyMap<string, Route>,
): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const [index, row] of rows.entries()) {
    const chooser = switchService(row, rows);
    const id = `${prefix}/${row.transportId ?? `${index}`}/${chooser}/${row.state}`;
    routes.set(id, known.get(id) ?? createServerRoute(client, clock, id, row, chooser));
  }
  return routes;
}

function createServerRoute(client: AdbServerClient, clock: Clock, id: string, row: DeviceRow, chooser: string): Route {
  const { serial, state, hint, model, usb } = row;
  let connection: Promise<PhoneConnection> | undefined;
  // Shared by all commands that wait for it, so no single caller's signal ends it.
  const limits = { clock, ms: ANSWER_MS, signal: new AbortController().signal, task: "answer the adb server" };
  const connect = () => {
    if (!connection) {
      const opening = withDeadline(limits, (signal) => openServerConnection(client, row, chooser, signal));
      connection = opening;
      opening.catch(() => {
        if (connection === opening) connection = undefined;
      });
    }
    return connection;
  };
  return { id, serial, state, hint, model, usb, connect };
}
