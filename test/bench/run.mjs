// What `npm run bench` runs: times of the whole product as ratios to the same work without it, in one run on one
// machine. Prints a table; with --json one JSON object.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "../../dist/cli/child.js";
import { createAdbPhones } from "../../dist/device-agent/adb/adb-phones.js";
import { createPictureEncoder } from "../../dist/device-agent/pictures/create-picture-encoder.js";
import { createSystemClock } from "../../dist/device-agent/system-clock.js";
import { encodeFrame } from "../../dist/shared/link/frame.js";

const dist = (path) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), "farhand-bench-"));
const children = [];
const start = (name, ...args) => {
  const child = startChild(name, args, { PATH: process.env.PATH, HOME: dataDir, FARHAND_TOKEN: token });
  children.push(child);
  return child;
};
const token = "bench-token-0123456789-abcdefghijklmnop";
const request = { maxWidth: 540, quality: 70, maxBytes: 600_000 };
const picture = new Uint8Array(200_000).fill(0xa5);
const base64Frame = () =>
  new TextEncoder().encode(JSON.stringify({ type: "result", data: Buffer.from(picture).toString("base64") }));
const compared = {
  "tools/list": "GET /healthz",
  "link frame of 200 KB": "the same in base64",
};
const silent = { debug() {}, info() {}, warn() {}, error() {} };

try {
  const rows = await measure();
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ rows }, null, 2)}\n`);
  else process.stdout.write(`${table(rows)}\n`);
} finally {
  for (const child of children.reverse()) await child.stop(8_000);
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure() {
  const phone = start(
    "simulated phone",
    dist("device-agent/simulated-phone/main.js"),
    "--port",
    "0",
    "--exit-with-parent",
  );
  const { host, port } = await phone.event(({ event }) => event === "listening", 20_000);
  const main = dist("cli/main.js");
  const gateway = start(
    "gateway",
    main,
    "gateway",
    "--json",
    "--port",
    "0",
    "--data-dir",
    join(dataDir, "gateway"),
    "--log-level",
    "error",
  );
  const { mcp, url } = await gateway.event(({ event }) => event === "listening", 20_000);
  const place = ["--gateway", url, "--data-dir", join(dataDir, "device-agent"), "--log-level", "error"];
  const agent = start(
    "device agent",
    main,
    "device-agent",
    "--json",
    ...place,
    "--direct",
    `${host}:${port}`,
    "--phones",
    "direct",
    "--allow",
    "write",
  );
  await agent.event(
    (event) => event.event === "devices" && event.devices.some(({ state }) => state === "device"),
    20_000,
  );
  const { device, stop } = await openBare(`${host}:${port}`);
  const signal = new AbortController().signal;
  const point = { x: 540, y: 1_500 };
  const shown = { x: 270, y: 750, snap: false };
  const call = (name, args = {}) => callTool(mcp, name, args);
  await call("take_screenshot");

  const rows = [
    await pair(
      "tap",
      60,
      () => call("tap", shown),
      () => tapAsTheToolDoes(device, point, signal),
    ),
    await pair(
      "take_screenshot, 540 px",
      20,
      () => call("take_screenshot"),
      () => device.capture(request, signal),
    ),
    await pair(
      "read_ui_tree",
      30,
      () => call("read_ui_tree"),
      () => device.readTree(signal),
    ),
    await pair(
      "tools/list",
      200,
      () => rpc(mcp, "tools/list", {}),
      () => fetch(`${url}/healthz`).then((one) => one.text()),
    ),
    await pair(
      "link frame of 200 KB",
      300,
      async () => encodeFrame({ type: "result" }, [picture]),
      async () => base64Frame(),
    ),
  ];
  await stop();
  return rows;
}

/** A write looks at the screen's state before it acts; so must the comparison. */
async function tapAsTheToolDoes(device, point, signal) {
  await device.status(signal);
  await device.tap(point, signal);
}

async function openBare(address) {
  const phones = createAdbPhones({
    clock: createSystemClock(),
    random: Math.random,
    logger: silent,
    encoder: await createPictureEncoder(),
    direct: [address],
    keyFile: join(dataDir, "adbkey"),
  });
  await phones.start();
  for (let tries = 0; phones.list()[0]?.state !== "device" && tries < 100; tries++)
    await new Promise((next) => setTimeout(next, 100));
  return { device: phones.open(phones.list()[0].key), stop: () => phones.stop() };
}

async function rpc(mcp, method, params) {
  const response = await fetch(mcp, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return response.json();
}

async function callTool(mcp, name, args) {
  const { result, error } = await rpc(mcp, "tools/call", { name, arguments: args });
  if (error || result.isError) throw new Error(`${name} failed: ${JSON.stringify(error ?? result.content)}`);
}

/** Both by turns, so that whatever else the machine does hits both alike. */
async function pair(name, rounds, whole, bare) {
  const times = { whole: [], bare: [] };
  for (let round = 0; round < rounds + 3; round++) {
    for (const [side, work] of [
      ["whole", whole],
      ["bare", bare],
    ]) {
      const startedAt = performance.now();
      await work();
      if (round >= 3) times[side].push(performance.now() - startedAt);
    }
  }
  const [wholeMs, bareMs] = [median(times.whole), median(times.bare)];
  return { name, rounds, wholeMs, bareMs, ratio: wholeMs / bareMs };
}

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

function table(rows) {
  const cells = rows.map(({ name, rounds, wholeMs, bareMs, ratio }) => [
    name,
    compared[name] ?? "the Device alone",
    String(rounds),
    wholeMs.toFixed(2),
    bareMs.toFixed(2),
    ratio.toFixed(2),
  ]);
  const head = ["through Farhand", "compared with", "rounds", "ms p50", "ms p50", "ratio"];
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column].length)));
  return [head, ...cells].map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ")).join("\n");
}
