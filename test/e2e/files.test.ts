import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeApk } from "../device-agent/adb/fake-apk.ts";
import type { McpClient } from "./support/clients.ts";
import { errorOf, type House, openHouse } from "./support/house.ts";

const mebibyte = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let house: House;
let client: McpClient;
beforeAll(async () => {
  house = await openHouse({ allow: "write,danger" });
  client = await house.connect();
});
afterAll(async () => {
  await client?.close();
  await house?.stop();
});

const filesUrl = (rest = "") => house.mcp.replace(/\/mcp$/, `/files${rest}`);
const authorized = (headers: Record<string, string> = {}) => ({ authorization: `Bearer ${house.token}`, ...headers });
const told = async (tool: string, input: Record<string, unknown>) => {
  const { structuredContent, isError, content } = await client.call(tool, input);
  expect(isError ?? false, JSON.stringify(content)).toBe(false);
  return structuredContent ?? {};
};

async function upload(bytes: Uint8Array): Promise<{ id: string; sha256: string }> {
  const response = await fetch(filesUrl("?name=app.apk"), {
    method: "POST",
    headers: authorized(),
    body: Buffer.from(bytes),
  });
  expect(response.status).toBe(201);
  return jsonOf(response);
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
const jsonOf = async (response: Response): Promise<any> => JSON.parse(await response.text());

/** A piece from `from` to the end of the file, of which only `bytes` are sent until it is cut. */
function beginPiece(id: string, from: number, total: number, bytes: Uint8Array) {
  const headers = authorized({
    "content-range": `bytes ${from}-${total - 1}/${total}`,
    "content-length": String(total - from),
  });
  const sent = request(filesUrl(`/${id}`), { method: "PUT", headers });
  const ended = new Promise<number | "cut">((resolve) => {
    sent.on("error", () => resolve("cut"));
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  sent.write(bytes);
  return { ended, cut: () => sent.destroy(new Error("cut")) };
}

describe("an app that was uploaded", () => {
  test("is installed on the phone and opened", async () => {
    const { id } = await upload(fakeApk("com.example.uploaded", 3 * mebibyte));
    expect(await told("install_app", { apks: [id] })).toEqual({ ok: true, package: "com.example.uploaded" });
    expect(await told("open_app", { package: "com.example.uploaded" })).toMatchObject({ ok: true });
  });

  test("is pushed as a file too", async () => {
    const bytes = randomBytes(9 * mebibyte);
    const { id } = await upload(bytes);
    const path = "/sdcard/Download/pushed.bin";
    expect(await told("push_file", { path, file_id: id })).toMatchObject({ done: true, next_offset: bytes.length });
    const { size, sha256: digest } = await told("pull_file", { path, length: 1, digest: true });
    expect([size, digest]).toEqual([bytes.length, sha256(bytes)]);
  });

  test("is there after the device agent was killed, and gone when it is deleted", async () => {
    const bytes = fakeApk("com.example.survivor", 1_000);
    const { id } = await upload(bytes);
    await house.killDeviceAgent();
    await house.startDeviceAgent();
    await house.ready();
    const got = await fetch(filesUrl(`/${id}`), { headers: authorized() });
    expect(Buffer.compare(Buffer.from(await got.arrayBuffer()), bytes)).toBe(0);
    expect((await fetch(filesUrl(`/${id}`), { method: "DELETE", headers: authorized() })).status).toBe(204);
    expect(errorOf(await client.call("install_app", { apks: [id] })).code).toBe("target_not_found");
  });
});

test("an upload goes on after cuts of every kind: its client, the link, the device agent, the gateway", async () => {
  const bytes = randomBytes(4 * mebibyte);
  const total = bytes.length;
  const query = `?bytes=${total}&sha256=${sha256(bytes)}`;
  const { id } = await jsonOf(await fetch(filesUrl(query), { method: "POST", headers: authorized() }));
  const offset = async () => {
    const head = await fetch(filesUrl(`/${id}`), { method: "HEAD", headers: authorized() });
    return Number(head.headers.get("upload-offset"));
  };
  /** Begins where the upload is, and resolves when a megabyte of it came. */
  const hangingPiece = async () => {
    const from = await offset();
    const piece = beginPiece(id, from, total, bytes.subarray(from, from + mebibyte));
    await expect.poll(offset, { timeout: 20_000 }).toBe(from + mebibyte);
    return piece;
  };

  const first = await hangingPiece();
  first.cut();
  const second = await hangingPiece();
  house.link.cut();
  expect(await second.ended).toBe(503);
  house.link.restore();
  await house.ready();
  expect(await offset()).toBe(2 * mebibyte);
  const third = await hangingPiece();
  await house.killDeviceAgent();
  expect(await third.ended).toBe(503);
  await house.startDeviceAgent();
  await house.ready();
  const fourth = await hangingPiece();
  await house.restartGateway();
  expect(await fourth.ended).toBe("cut");
  await house.ready();

  const from = await offset();
  const rest = await fetch(filesUrl(`/${id}`), {
    method: "PUT",
    headers: authorized({ "content-range": `bytes ${from}-${total - 1}/${total}` }),
    body: bytes.subarray(from),
  });
  expect(await jsonOf(rest)).toMatchObject({ complete: true, sha256: sha256(bytes) });
});

/** There and back, with the digest proven; `note` is called with each megabyte. */
async function goAndReturn(megabytes: number, note: () => void): Promise<void> {
  const megabyte = randomBytes(1_000_000);
  const hash = createHash("sha256");
  function* body() {
    for (let count = 0; count < megabytes; count++) {
      note();
      hash.update(megabyte);
      yield megabyte;
    }
  }
  const response = await fetch(filesUrl(), {
    method: "POST",
    headers: authorized(),
    body: Readable.toWeb(Readable.from(body())),
    duplex: "half",
  } as unknown as RequestInit);
  const { id, bytes, sha256: digest } = await jsonOf(response);
  expect([response.status, bytes, digest]).toEqual([201, megabytes * 1_000_000, hash.digest("hex")]);
  const back = createHash("sha256");
  const got = await fetch(filesUrl(`/${id}`), { headers: authorized() });
  for await (const chunk of got.body ?? []) {
    note();
    back.update(chunk);
  }
  expect(back.digest("hex")).toBe(digest);
}

test.runIf(process.platform === "linux")("50 MB go there and back, and neither process holds them", async () => {
  // What a process takes for its buffers once, it keeps.
  await goAndReturn(50, () => {});
  const before = residentBytes();
  let most = before;
  await goAndReturn(50, () => {
    most = residentBytes().map((now, index) => Math.max(now, most[index] ?? 0));
  });
  const growth = most.map((now, index) => now - (before[index] ?? 0));
  process.stdout.write(`50 MB up and down: gateway and device agent grew by ${growth.join(" and ")} bytes\n`);
  for (const bytes of growth) expect(bytes).toBeLessThan(40 * mebibyte);
});

/** Of gateway and device agent. */
function residentBytes(): number[] {
  return ["gateway/gateway.lock", "device-agent/device-agent.lock"].map((lock) => {
    const { pid } = JSON.parse(readFileSync(join(house.dataDir, lock), "utf8"));
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(resident) * 1024;
  });
}
