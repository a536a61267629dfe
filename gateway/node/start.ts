import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { BuildIdentity } from "../../shared/build-identity.ts";
import { type Clock, pause } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import { permissions } from "../../shared/permissions.ts";
import { createStopBell } from "../a2a/stop-bell.ts";
import { createGateway } from "../app.ts";
import { createStaticTokens, type StaticToken } from "../auth/static-token.ts";
import { createDirectoryCache } from "../directory-cache.ts";
import type { McpExtension } from "../mcp/server.ts";
import { createInProcessRelay, type InProcessRelay } from "../relay/in-process.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { createLibsqlDirectory } from "../store/libsql-directory.ts";
import { createLibsqlFiles } from "../store/libsql-files.ts";
import { createLibsqlTasks } from "../store/libsql-tasks.ts";
import type { TaskService } from "../tasks/task-service.ts";
import { httpUrl, isWildcard, reachableHost } from "./addresses.ts";
import { openAuditFile } from "./audit-file.ts";
import type { GatewayConfig } from "./config.ts";
import { locateDatabase } from "./database-file.ts";
import { listen } from "./http-server.ts";
import { openTasks } from "./open-tasks.ts";
import { StartError, systemCode } from "./start-error.ts";
import { nodeUpgrade } from "./web-socket.ts";

export interface RunningGateway {
  /** Where clients reach it, without a slash at its end. */
  url: string;
  /** Where this very machine reaches it. */
  local: string;
  /** Takes nothing new, lets what runs finish for a while, then ends. */
  stop(): Promise<void>;
}

export interface StartOptions {
  config: GatewayConfig;
  /** Of the single user who owns this gateway. */
  token: string;
  version: string;
  build: BuildIdentity;
  log: Logger;
  clock: Clock;
  /** For tests: further tokens, further MCP features, a database seen through something else. */
  moreTokens?: readonly StaticToken[];
  mcpExtension?: McpExtension;
  wrapDatabase?: (database: Database) => Database;
  tasks?: TaskService;
}

/** How long calls under way may take when the gateway is asked to stop. */
const drainMs = 5_000;
const closeMs = 1_000;
const reconnectInMs = 1_000;
const tenant = "default";
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Puts the parts of the Node gateway together and listens. Throws StartError. */
export async function startGateway(options: StartOptions): Promise<RunningGateway> {
  const { config, version, log, clock } = options;
  const randomId = () => randomBytes(16).toString("base64url");
  const http = await listen(config.host, config.port);
  const store = await openStore(options).catch(async (error) => {
    await http.close(0);
    throw error;
  });
  const { audit, cache, files } = store;
  const relay = createInProcessRelay({ clock, log, version, randomId });
  const urls = await urlsOf(config, http.port);
  const stopping = new AbortController();
  const secrets = [options.token, ...(options.moreTokens ?? []).map(({ token }) => token)];
  const stopBell = createStopBell(stopping.signal);
  const around = { config, relay, clock, log, randomId, hash, secrets, publicUrl: urls.shown, stopBell };
  const tasks = openTasks({ ...store, ...around });
  let draining = false;

  http.serve(
    createGateway({
      guard: { urls: urls.all, allowedHosts: config.allowedHosts, allowedOrigins: config.allowedOrigins },
      publicUrl: urls.shown,
      version,
      build: options.build,
      authenticator: createStaticTokens([ownerToken(options.token), ...(options.moreTokens ?? [])]),
      relay,
      registry: relay,
      directory: cache.directory,
      cache,
      files,
      audit,
      upgrade: nodeUpgrade,
      clock,
      log,
      randomId,
      base64: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
      hash,
      draining: () => draining,
      stopping: stopping.signal,
      tasks: options.tasks ?? tasks.service,
      taskDesk: tasks.desk,
      sendWaitMs: config.sendWait * 1_000,
      ...(options.mcpExtension ? { mcpExtension: options.mcpExtension } : {}),
    }),
  );

  return {
    url: urls.shown,
    local: urls.local,
    async stop() {
      if (draining) return;
      draining = true;
      stopping.abort();
      await drain(relay, clock);
      await tasks.stop();
      await http.close(closeMs);
      await store.close();
    },
  };
}

async function openStore({ config, clock, log, wrapDatabase = (database) => database }: StartOptions) {
  const { url } = await locateDatabase(config);
  const database = await openDatabase({ url, clock, log }).catch((cause) => {
    throw new StartError(`The database ${url} cannot be opened.`, cause);
  });
  const path = join(config.dataDir, "audit.jsonl");
  const audit = await usable(path, openAuditFile({ path, clock, log }));
  const seen = wrapDatabase(database);
  const cache = createDirectoryCache({ directory: createLibsqlDirectory(seen), clock, log });
  await cache.refresh();
  return {
    audit,
    cache,
    files: createLibsqlFiles(seen, clock.now),
    tasks: createLibsqlTasks(seen),
    async close() {
      cache.stop();
      await audit.close();
      await database.close();
    },
  };
}

/** Says in one line which file of the data directory cannot be used. */
async function usable<T>(path: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (cause) {
    throw new StartError(`The file ${path} cannot be written (${systemCode(cause)}).`, cause);
  }
}

function ownerToken(token: string): StaticToken {
  return { token, principal: { tenant, subject: "owner", scopes: permissions, devices: "all" }, deviceAgents: true };
}

/** The URLs to show, and every URL whose host requests may name. */
async function urlsOf({ host, publicUrl }: GatewayConfig, port: number) {
  const direct = httpUrl(await reachableHost(host), port);
  const local = isWildcard(host) ? httpUrl("127.0.0.1", port) : direct;
  const shown = publicUrl ?? direct;
  return { shown, local, all: [shown, direct, local] };
}

async function drain(relay: InProcessRelay, clock: Clock): Promise<void> {
  relay.drain(reconnectInMs);
  const endsAt = clock.now() + drainMs;
  while (relay.pendingCalls() > 0 && clock.now() < endsAt) await pause(clock, 20);
  relay.stop(new CodedError("device_offline", "The gateway stops.", { retryAfterMs: reconnectInMs }));
}
