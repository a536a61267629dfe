import type { AdbCredentialStore } from "@yume-chan/adb";
import { type Clock, pause } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Logger } from "../../../shared/log.ts";
import { BackOff } from "../phones/back-off.ts";
import type { Route, RouteSource } from "../phones/route.ts";
import { stateHint } from "../server/device-list.ts";
import { dialPhone } from "./dial-phone.ts";
import type { DirectConnection } from "./direct-connection.ts";

export interface DirectRoutesOptions {
  /** Addresses as `host:port`; without a port it is 5555. */
  addresses: readonly string[];
  keys: AdbCredentialStore;
  clock: Clock;
  random: () => number;
  logger: Logger;
}

const CONNECT_TIMEOUT_MS = 5000;
/** A phone that knows our key answers far sooner. */
const ANSWER_MS = 10_000;
/** The phone's prompt is left up so long before we hang up and ask again. */
const PROMPT_MS = 120_000;
/** After a refusal the owner is left in peace for a while. */
const REFUSED_MS = 30_000;

/** Phones dialled by ourselves, each redialled for ever with growing pauses. Throws TypeError for a bad address. */
export function createDirectRoutes(options: DirectRoutesOptions): RouteSource {
  const stopping = new AbortController();
  const routes = new Map<string, Route>();
  const targets = options.addresses.map(splitAddress);
  let running: Promise<void>[] = [];
  return {
    async start(changed) {
      const looks = targets.map(
        (target) =>
          new Promise<void>((looked) => {
            const show = (route: Route) => {
              routes.set(target.serial, route);
              changed([...routes.values()]);
              if (route.state !== "connecting") looked();
            };
            running = [...running, keepDialling(target, options, stopping.signal, show)];
          }),
      );
      await Promise.all(looks);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

interface Target {
  serial: string;
  host: string;
  port: number;
}

function splitAddress(address: string): Target {
  const match = /^(?:\[([^\]]+)\]|([^:\s]+))(?::(\d{1,5}))?$/.exec(address);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3] ?? 5555);
  if (host === undefined || port < 1 || port > 65_535) throw new TypeError("The address of a phone is host:port.");
  return { serial: address, host, port };
}

async function keepDialling(
  target: Target,
  options: DirectRoutesOptions,
  stopping: AbortSignal,
  show: (route: Route) => void,
): Promise<void> {
  const { clock, random, logger } = options;
  const backOff = new BackOff(250, 10_000, random);
  let attempt = 0;
  const showState = (state: string, connection?: DirectConnection) =>
    show(directRoute(target, attempt, state, connection));
  showState("connecting");
  while (!stopping.aborted) {
    attempt += 1;
    let waitMs: number;
    try {
      const connection = await dial(target, options, stopping, () => showState("unauthorized"));
      backOff.reset();
      showState("device", connection);
      await untilLost(connection, stopping);
      showState("offline");
      waitMs = backOff.next();
    } catch (error) {
      if (!stopping.aborted) logger.debug("a phone could not be dialled", { cause: error });
      const isRefused = error instanceof CodedError && error.code === "device_unauthorized";
      showState(isRefused ? "unauthorized" : "offline");
      waitMs = isRefused ? REFUSED_MS : backOff.next();
    }
    await pause(clock, waitMs, stopping).catch(() => {});
  }
}

async function untilLost(connection: DirectConnection, stopping: AbortSignal): Promise<void> {
  const close = () => connection.close();
  if (stopping.aborted) close();
  stopping.addEventListener("abort", close, { once: true });
  await connection.lost;
  stopping.removeEventListener("abort", close);
}

async function dial(
  { host, port }: Target,
  { keys, clock }: DirectRoutesOptions,
  stopping: AbortSignal,
  prompting: () => void,
): Promise<DirectConnection> {
  const own = new AbortController();
  const stop = () => own.abort(stopping.reason);
  stopping.addEventListener("abort", stop, { once: true });
  let callOff = clock.after(ANSWER_MS, () => own.abort(new CodedError("device_offline", "The phone does not answer.")));
  const patient = () => {
    callOff();
    callOff = clock.after(PROMPT_MS, () =>
      own.abort(new CodedError("device_unauthorized", "Nobody accepted the debugging prompt of the phone.")),
    );
    prompting();
  };
  try {
    return await dialPhone({
      host,
      port,
      keys,
      clock,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      prompting: patient,
      signal: own.signal,
    });
  } finally {
    callOff();
    stopping.removeEventListener("abort", stop);
  }
}

function directRoute(
  { serial }: Target,
  attempt: number,
  state: string,
  connection: DirectConnection | undefined,
): Route {
  const nobody = `Nothing answers at ${serial}: check that the phone is on and in this network.`;
  return {
    id: `direct/${serial}/${attempt}/${state}`,
    serial,
    state,
    hint: state === "offline" ? nobody : stateHint(state),
    model: undefined,
    isDialled: true,
    usb: undefined,
    async connect() {
      if (connection) return connection;
      throw new CodedError("device_offline", "The phone is not connected now.");
    },
  };
}
