import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StaticToken } from "../../../gateway/auth/static-token.ts";
import { readGatewayConfig } from "../../../gateway/node/config.ts";
import { type StartOptions, startGateway } from "../../../gateway/node/start.ts";
import { systemClock } from "../../../gateway/node/system-clock.ts";
import type { Clock } from "../../../shared/clock.ts";
import { createLogger } from "../../../shared/log.ts";
import type { Permission } from "../../../shared/permissions.ts";
import { testBuild } from "../../support/build.ts";

/** The owner's token in tests: may do everything, and device agents dial with it. */
export const ownerToken = "owner-token-0123456789-0123456789-0123456789";

export interface TestGateway {
  url: string;
  /** Where this machine reaches it, whatever its public address. */
  local: string;
  mcp: string;
  link: string;
  port: number;
  dataDir: string;
  /** Every line that was logged. */
  logged: string[];
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  dataDir?: string;
  port?: number;
  clock?: Clock;
  tokens?: StaticToken[];
  flags?: Record<string, string | boolean>;
  mcpExtension?: StartOptions["mcpExtension"];
  wrapDatabase?: StartOptions["wrapDatabase"];
  tasks?: StartOptions["tasks"];
}

/** A whole Node gateway on a free port of loopback, with a data directory of its own. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "farhand-gateway-")));
  const logged: string[] = [];
  const flags = { port: String(options.port ?? 0), dataDir, token: ownerToken, ...options.flags };
  const gateway = await startGateway({
    config: readGatewayConfig({ flags, env: {}, file: {} }),
    token: ownerToken,
    version: "0.1.0",
    build: testBuild,
    log: createLogger({ source: "gateway", level: "debug", write: (line) => logged.push(line), now: () => Date.now() }),
    clock: options.clock ?? systemClock,
    moreTokens: options.tokens ?? [],
    ...(options.mcpExtension ? { mcpExtension: options.mcpExtension } : {}),
    ...(options.wrapDatabase ? { wrapDatabase: options.wrapDatabase } : {}),
    ...(options.tasks ? { tasks: options.tasks } : {}),
  });
  return {
    url: gateway.url,
    local: gateway.local,
    mcp: `${gateway.url}/mcp`,
    link: `${gateway.url.replace("http", "ws")}/link`,
    port: Number(new URL(gateway.url).port),
    dataDir,
    logged,
    async stop() {
      await gateway.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A further token of the same tenant with only these scopes, or only these devices. */
export function tokenFor(subject: string, scopes: Permission[], devices: "all" | string[] = "all"): StaticToken {
  const token = `${subject}-token-`.padEnd(40, "x");
  return { token, principal: { tenant: "default", subject, scopes, devices }, deviceAgents: false };
}
