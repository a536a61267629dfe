// Ten thousand mixed calls on four simulated phones by a real adb server that dies ten times meanwhile. Prints a table;
// the exit code is 0 when the heap stays flat, nothing is left unhandled, and every failure is one that was expected.
// Needs a build: node --expose-gc test/soak/run.mjs [--calls N] [--restarts N] [--minutes N] [--dist FOLDER]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chooseCall, READER, WRITER } from "./calls.mjs";
import { createAdbServer, pause, startPhone } from "./phones.mjs";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "10000" },
    restarts: { type: "string", default: "10" },
    minutes: { type: "string", default: "8" },
    dist: { type: "string", default: resolve(import.meta.dirname ?? "test/soak", "../../dist") },
  },
});
const calls = Number(values.calls);
const restarts = Number(values.restarts);
const end = Date.now() + Number(values.minutes) * 60_000;
const load = (path) => import(pathToFileURL(resolve(values.dist, path)).href);

const PHONES = 4;
const SAMPLES = 10;
/** What the heap may have grown from the first sample after a warm-up to the last, bytes. */
const GROWTH = 4 * 1024 * 1024;
/** The adb server's death may cost these; everything else is a fault. */
const EXPECTED = new Set([
  "device_offline",
  "outcome_unknown",
  "clipboard_unavailable",
  "ui_not_idle",
  "unsupported_characters",
]);
/** How long a phone may be away after a new adb server has begun to answer, ms. */
const BACK_WITHIN_MS = 5000;
/** A machine that others use too may be late now and then: so many of a hundred calls. */
const LATE_PERCENT = 0.5;
/** What a screen in any state may answer: no field to type into, an app that another worker has sent away. */
const HARMLESS = new Set(["ui_unavailable", "target_not_found", "screen_secure"]);

const faults = [];
process.on("unhandledRejection", (reason) => faults.push(`unhandled rejection: ${reason?.stack ?? reason}`));
process.on("uncaughtException", (error) => faults.push(`uncaught exception: ${error.stack}`));
const gc = globalThis.gc;
if (!gc) {
  process.stderr.write("soak: run node with --expose-gc\n");
  process.exit(2);
}

/** mulberry32: the same mix of calls each time. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
const never = new AbortController().signal;
const small = { maxWidth: 270, quality: 50, maxBytes: 500_000 };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const { createAdbPhones } = await load("device-agent/adb/adb-phones.js");
const { createPictureEncoder } = await load("device-agent/pictures/create-picture-encoder.js");
const { bundledScrcpyServer } = await load("device-agent/adb/scrcpy/scrcpy-server-file.js");

const program = resolve(values.dist, "device-agent/simulated-phone/main.js");
const houses = await Promise.all(Array.from({ length: PHONES }, (_, number) => startPhone(program, number)));
const adb = await createAdbServer();
for (const { address } of houses) await adb.connect(address);
const phones = createAdbPhones({
  clock,
  random: Math.random,
  logger: silent,
  encoder: await createPictureEncoder(),
  scrcpyServerFile: bundledScrcpyServer(),
  server: { host: "127.0.0.1", port: adb.port },
});
await phones.start();

const done = new Map();
const failed = new Map();
const samples = [];
const recoveries = [];
let started = 0;
let finished = 0;

const isReady = (serial) => phones.list().some((one) => one.state === "device" && (one.key ?? one.serial) === serial);
async function untilReady(serial) {
  while (!isReady(serial) && Date.now() < end) await pause(50);
}

async function work(serial, kinds, next) {
  const device = phones.open(serial);
  while (started < calls && Date.now() < end) {
    started++;
    const { name, run } = chooseCall(kinds, next);
    const begun = performance.now();
    try {
      await run(device, AbortSignal.timeout(30_000));
      const times = done.get(name) ?? [];
      times.push(performance.now() - begun);
      done.set(name, times);
    } catch (error) {
      const code = error?.code ?? `no code: ${error?.stack}`;
      failed.set(`${name} ${code}`, (failed.get(`${name} ${code}`) ?? 0) + 1);
      if (EXPECTED.has(code)) await untilReady(serial);
      else if (!HARMLESS.has(code) && code !== "deadline_exceeded")
        faults.push(`${name}: ${code} ${error?.message ?? ""}`);
    }
    finished++;
  }
}

async function killAdbNowAndThen() {
  for (let round = 1; round <= restarts; round++) {
    while (finished < (calls * round) / (restarts + 1)) {
      if (Date.now() >= end) return;
      await pause(20);
    }
    await adb.restart();
    const begun = performance.now();
    await Promise.all(houses.map(({ serial }) => untilReady(serial)));
    recoveries.push(performance.now() - begun);
  }
}

function sample() {
  gc();
  gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  samples.push({ calls: finished, heapUsed, external, rss, handles });
}

async function sampleNowAndThen() {
  for (let step = 1; step < SAMPLES; step++) {
    while (finished < (calls * step) / SAMPLES) {
      if (Date.now() >= end) return;
      await pause(20);
    }
    sample();
  }
}

await Promise.all(houses.map(({ serial }) => untilReady(serial)));
// The first picture and tree load fonts and codecs, here and in the phones.
for (const { serial } of houses) {
  const device = phones.open(serial);
  for (const warm of [
    () => device.readTree(never),
    () => device.capture(small, never),
    () => device.capture(small, never),
  ])
    await warm().catch(() => {});
}
const begunAt = Date.now();
const workers = houses.flatMap(({ serial }, phone) => [
  work(serial, WRITER, seeded(2 * phone + 1)),
  work(serial, READER, seeded(2 * phone + 2)),
]);
await Promise.all([...workers, killAdbNowAndThen(), sampleNowAndThen()]);
const tookMs = Date.now() - begunAt;
await pause(500);
sample();

await phones.stop();
await adb.stop();
for (const { child } of houses) child.kill();
report();

function report() {
  const mb = (bytes) => (bytes / 1024 / 1024).toFixed(1);
  const row = (...cells) => process.stdout.write(`${cells.map((cell) => String(cell).padStart(11)).join("")}\n`);
  row("call", "done", "p50 ms", "p95 ms");
  for (const [name, times] of [...done].sort()) {
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(0);
    row(name, times.length, at(0.5), at(0.95));
  }
  for (const [what, count] of [...failed].sort()) process.stdout.write(`failed ${count}x ${what}\n`);
  row("calls", "heap MB", "ext MB", "rss MB", "handles");
  for (const { calls: at, heapUsed, external, rss, handles } of samples)
    row(at, mb(heapUsed), mb(external), mb(rss), handles);
  const [first] = samples;
  const last = samples.at(-1);
  const grown = last.heapUsed - first.heapUsed;
  if (grown > GROWTH) faults.push(`the heap has grown by ${mb(grown)} MB`);
  if (finished < calls) faults.push(`only ${finished} of ${calls} calls in ${values.minutes} minutes`);
  if (recoveries.length < restarts) faults.push(`the adb server was killed ${recoveries.length} times only`);
  const late = [...failed].reduce((sum, [what, count]) => sum + (what.endsWith("deadline_exceeded") ? count : 0), 0);
  if (late > (calls * LATE_PERCENT) / 100) faults.push(`${late} calls were late`);
  if (recoveries.some((ms) => ms > BACK_WITHIN_MS)) faults.push("a phone stayed away for more than 5 s");
  const lost = [...failed.values()].reduce((sum, count) => sum + count, 0);
  if (lost > calls * 0.05) faults.push(`${lost} calls failed`);
  const worst =
    recoveries.length > 0 ? `, all phones back within ${(Math.max(...recoveries) / 1000).toFixed(1)} s` : "";
  process.stdout.write(
    `${finished} calls in ${(tookMs / 1000).toFixed(0)} s (${((finished * 1000) / tookMs).toFixed(0)}/s), ${lost} failed as expected, adb server killed ${recoveries.length} times${worst}, heap ${mb(first.heapUsed)} -> ${mb(last.heapUsed)} MB\n`,
  );
  for (const fault of [...new Set(faults)].slice(0, 20)) process.stdout.write(`FAULT ${fault}\n`);
  process.exit(faults.length === 0 ? 0 : 1);
}
