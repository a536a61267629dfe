import { createConnection, type Socket } from "node:net";
import {
  type AdbAuthenticator,
  type AdbCredentialStore,
  AdbDaemonTransport,
  AdbPublicKeyAuthenticator,
  AdbSignatureAuthenticator,
} from "@yume-chan/adb";
import type { Clock } from "../../../shared/clock.ts";
import { abortError, adbFailure } from "../errors.ts";
import { connected } from "../server/connector.ts";
import { DirectConnection } from "./direct-connection.ts";
import { packetStreams } from "./packet-streams.ts";

export interface DialOptions {
  host: string;
  port: number;
  keys: AdbCredentialStore;
  clock: Clock;
  connectTimeoutMs: number;
  /** Called when our public key goes to the phone, which then shows its prompt. */
  prompting: () => void;
  signal: AbortSignal;
}

/** Dials adbd over TCP and proves who we are; waits for the owner's answer as long as `signal` allows. */
export async function dialPhone(options: DialOptions): Promise<DirectConnection> {
  const { host, port, signal, clock } = options;
  if (signal.aborted) throw abortError(signal);
  const socket = createConnection({ host, port, noDelay: true });
  const abort = () => void socket.destroy(new Error("aborted"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    await connected(socket, options.connectTimeoutMs);
    const transport = await authenticate(socket, options);
    transport.disconnected.catch(() => {});
    return new DirectConnection(transport, socket, clock);
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? abortError(signal) : adbFailure(error);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The library waits for the owner for ever, also on a connection that is gone. */
function authenticate(socket: Socket, { host, port, keys, prompting }: DialOptions): Promise<AdbDaemonTransport> {
  return new Promise((resolve, reject) => {
    const lost = () => reject(new Error("Connection closed unexpectedly"));
    socket.once("close", lost);
    const authenticators = [AdbSignatureAuthenticator, announce(AdbPublicKeyAuthenticator, prompting)];
    const options = {
      serial: `${host}:${port}`,
      connection: packetStreams(socket),
      credentialStore: keys,
      authenticators,
    };
    AdbDaemonTransport.authenticate(options)
      .then(resolve, reject)
      .finally(() => socket.off("close", lost));
  });
}

function announce(authenticator: AdbAuthenticator, told: () => void): AdbAuthenticator {
  return async function* (keys, next) {
    for await (const packet of authenticator(keys, next)) {
      told();
      yield packet;
    }
  };
}
