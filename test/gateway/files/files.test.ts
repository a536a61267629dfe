import { request as httpRequest } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../../shared/limits.ts";
import { inChunks, sha256, someBytes } from "../../device-agent/spool/spool-bench.ts";
import { ownerToken } from "../support/start-test-gateway.ts";
import { ask, type FileRequest, type Joined, joinGatewayAndDeviceAgent } from "./joined.ts";

let joined: Joined;
beforeAll(async () => {
  joined = await joinGatewayAndDeviceAgent();
});
afterAll(() => joined.close());
afterEach(() => {
  joined.audited.length = 0;
});

const send = (path: string, request: FileRequest = {}) => ask(joined.gateway, path, request);
const upload = (bytes: Uint8Array<ArrayBuffer>, query = "", request: FileRequest = {}) =>
  send(query, { method: "POST", body: bytes, ...request });
const put = (id: string, bytes: Uint8Array<ArrayBuffer>, offset: number, total: number, request: FileRequest = {}) =>
  send(`/${id}`, {
    method: "PUT",
    body: bytes,
    headers: { "content-range": `bytes ${offset}-${offset + bytes.length - 1}/${total}` },
    ...request,
  });
const bytesOf = (length: number) => someBytes(length) as Uint8Array<ArrayBuffer>;

describe("a file as one body", () => {
  test("comes back byte for byte, under its name, only to be saved", async () => {
    const bytes = bytesOf(700_000);
    const headers = { "content-type": "text/html; charset=utf-8" };
    const made = await upload(bytes, `?device=a&name=${encodeURIComponent('Übung "1".html')}`, { headers });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      id: expect.stringMatching(/^file_[a-z0-9]{26}$/),
      device: expect.stringMatching(/^dev_/),
      name: 'Übung "1".html',
      media_type: "text/html",
      bytes: 700_000,
      received: 700_000,
      complete: true,
      sha256: sha256(bytes),
    });
    const lifetime = Date.parse(made.json.expires_at) - Date.now();
    expect(Math.abs(lifetime - limits.spoolAgeMs)).toBeLessThan(10 * 60_000);
    expect(made.headers.get("location")).toBe(`${joined.gateway.url}/files/${made.json.id}`);

    const got = await send(`/${made.json.id}`);
    expect(got.status).toBe(200);
    expect(Buffer.compare(got.bytes, bytes)).toBe(0);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      "content-type": "text/html",
      "content-length": "700000",
      "content-disposition": `attachment; filename="_bung _1_.html"; filename*=UTF-8''%C3%9Cbung%20%221%22.html`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
      "accept-ranges": "bytes",
      etag: `"${sha256(bytes)}"`,
    });
  });

  test("may be empty, and may be of a length that nobody told", async () => {
    const empty = await upload(bytesOf(0));
    expect(empty).toMatchObject({ status: 201, json: { bytes: 0, complete: true, sha256: sha256(new Uint8Array(0)) } });
    expect((await send(`/${empty.json.id}`)).bytes).toHaveLength(0);
    const bytes = bytesOf(50_000);
    const streamed = await send("", { method: "POST", body: ReadableStream.from(inChunks(bytes)) as never });
    expect(streamed).toMatchObject({ status: 201, json: { bytes: 50_000, sha256: sha256(bytes) } });
  });

  test("is checked against its digest, and nothing is left of a wrong one", async () => {
    const bytes = bytesOf(1_000);
    expect((await upload(bytes, `?sha256=${sha256(bytes).toUpperCase()}`)).status).toBe(201);
    const wrong = await upload(bytes, `?sha256=${"0".repeat(64)}`);
    expect([wrong.status, wrong.json.error.code]).toEqual([400, "invalid_argument"]);
    expect(wrong.json.error.message).toContain(sha256(bytes));
  });

  test.each([
    ["an unknown parameter", "?colour=red", 400, "invalid_argument"],
    ["a digest that is none", "?sha256=abc", 400, "invalid_argument"],
    ["another number of bytes than it announces", "?bytes=11", 400, "invalid_argument"],
    ["a name of two lines", "?name=a%0Ab", 400, "invalid_argument"],
    ["an unknown device", "?device=nobody", 404, "device_not_found"],
  ])("with %s is refused", async (_, query, status, code) => {
    const answer = await upload(bytesOf(10), query);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(answer.json.error.hint).toMatch(/.{10,}/);
  });

  test("as a form is refused, with the way to do it", async () => {
    const form = new FormData();
    form.set("file", new Blob([bytesOf(10)]));
    const answer = await send("", { method: "POST", body: form });
    expect([answer.status, answer.json.error.hint]).toEqual([400, expect.stringContaining("--data-binary")]);
  });

  test("over the limit is refused by its header alone", async () => {
    const answer = await send(`?bytes=${limits.downloadBytes + 1}`, { method: "POST" });
    expect([answer.status, answer.json.error.code]).toEqual([413, "too_large"]);
    expect(answer.json.error.message).toContain(String(limits.downloadBytes));
    const declared = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${ownerToken}`, "content-length": String(limits.downloadBytes + 1) };
      const sent = httpRequest(`${joined.gateway.url}/files`, { method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on("error", reject);
      sent.write("x");
    });
    expect(declared).toBe(413);
  });

  test("whose client goes away leaves nothing behind", async () => {
    const left = joined.audited.length;
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${ownerToken}`, "content-length": "1000000" };
      const sent = httpRequest(`${joined.gateway.url}/files?name=cut`, { method: "POST", headers });
      sent.on("error", () => resolve());
      sent.write(Buffer.alloc(400_000), () => setImmediate(() => sent.destroy(new Error("gone"))));
    });
    await expect.poll(() => joined.audited.slice(left)).toMatchObject([{ tool: "file_create", outcome: "canceled" }]);
  });
});

describe("a file in pieces", () => {
  test("is created without a body, grows, and is complete with its last byte", async () => {
    const bytes = bytesOf(30_000);
    const made = await send(`?bytes=30000&name=big.bin&sha256=${sha256(bytes)}`, { method: "POST" });
    expect(made).toMatchObject({ status: 201, json: { bytes: 30_000, received: 0, complete: false, sha256: null } });
    const { id } = made.json;
    const first = await put(id, bytes.subarray(0, 10_000), 0, 30_000);
    expect(first).toMatchObject({ status: 200, json: { received: 10_000, complete: false } });
    const head = await send(`/${id}`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(["upload-offset", "upload-length", "upload-complete"].map((name) => head.headers.get(name))).toEqual([
      "10000",
      "30000",
      "?0",
    ]);
    const early = await send(`/${id}`);
    expect([early.status, early.json.error.code]).toEqual([400, "invalid_argument"]);
    expect(early.json.error.message).toBe("The upload is not complete.");
    const last = await put(id, bytes.subarray(10_000), 10_000, 30_000);
    expect(last).toMatchObject({ status: 200, json: { received: 30_000, complete: true, sha256: sha256(bytes) } });
    const done = await send(`/${id}`, { method: "HEAD" });
    expect(done.headers.get("upload-complete")).toBe("?1");
    expect(done.headers.get("content-length")).toBe("30000");
    expect(Buffer.compare((await send(`/${id}`)).bytes, bytes)).toBe(0);
    expect((await put(id, bytes.subarray(29_000), 29_000, 30_000)).json.complete).toBe(true);
  });

  test("goes on after its client was cut in the middle of a piece", async () => {
    const bytes = bytesOf(3_000_000);
    const { id } = (await send("?bytes=3000000", { method: "POST" })).json;
    await new Promise<void>((resolve) => {
      const headers = {
        authorization: `Bearer ${ownerToken}`,
        "content-length": "3000000",
        "content-range": "bytes 0-2999999/3000000",
      };
      const sent = httpRequest(`${joined.gateway.url}/files/${id}`, { method: "PUT", headers });
      sent.on("error", () => resolve());
      sent.write(bytes.subarray(0, 1_500_000));
      const cutWhenSomeIsThere = async () => {
        await expect
          .poll(() => joined.spool().report({ tenant: "default", subject: "owner" }, id).received)
          .toBe(1_500_000);
        sent.destroy(new Error("gone"));
      };
      void cutWhenSomeIsThere();
    });
    const head = await send(`/${id}`, { method: "HEAD" });
    expect(head.headers.get("upload-offset")).toBe("1500000");
    const done = await put(id, bytes.subarray(1_500_000), 1_500_000, 3_000_000);
    expect(done).toMatchObject({ status: 200, json: { complete: true, sha256: sha256(bytes) } });
  });

  test.each([
    ["a range of another total", "bytes 0-9/101"],
    ["a range behind the end", "bytes 95-104/100"],
    ["a range that cannot be read", "bytes=0-9"],
    ["another length than its body", "bytes 0-10/100"],
    ["a gap", "bytes 50-59/100"],
  ])("does not take %s", async (_, range) => {
    const { id } = (await send("?bytes=100", { method: "POST" })).json;
    const answer = await put(id, bytesOf(10), 0, 100, { headers: { "content-range": range } });
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_argument"]);
  });

  test("with a wrong digest is gone at the end", async () => {
    const { id } = (await send(`?bytes=10&sha256=${"0".repeat(64)}`, { method: "POST" })).json;
    const wrong = await send(`/${id}`, { method: "PUT", body: bytesOf(10) });
    expect([wrong.status, wrong.json.error.message]).toEqual([400, expect.stringContaining("another SHA-256")]);
    expect((await send(`/${id}`, { method: "HEAD" })).status).toBe(404);
  });

  test("outlives a restart of the device agent, and completes although its uploader was not told", async () => {
    const bytes = bytesOf(1_000);
    const { id } = (await send("?bytes=1000", { method: "POST" })).json;
    await put(id, bytes.subarray(0, 400), 0, 1_000);
    await joined.stopDeviceAgent();
    const offline = await put(id, bytes.subarray(400), 400, 1_000);
    expect([offline.status, offline.json.error.code]).toEqual([503, "device_offline"]);
    expect(offline.headers.get("retry-after")).toMatch(/^\d+$/);
    await joined.startDeviceAgent();
    expect((await send(`/${id}`, { method: "HEAD" })).headers.get("upload-offset")).toBe("400");
    // As if the answer to the last piece had been lost on its way through the gateway.
    await joined.spool().append({ tenant: "default", subject: "owner" }, id, 400, inChunks(bytes.subarray(400)));
    expect(Buffer.compare((await send(`/${id}`)).bytes, bytes)).toBe(0);
  });
});

describe("a range of a file", () => {
  const bytes = bytesOf(100_000);
  let id = "";
  beforeAll(async () => {
    id = (await upload(bytes)).json.id;
  });

  test.each([
    ["bytes=10-19", 10, 20],
    ["bytes=99990-", 99_990, 100_000],
    ["bytes=-7", 99_993, 100_000],
    ["bytes=99999-200000", 99_999, 100_000],
  ])("%s is told exactly", async (range, from, to) => {
    const got = await send(`/${id}`, { headers: { range } });
    expect(got.status).toBe(206);
    expect(got.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/100000`);
    expect(Buffer.compare(got.bytes, bytes.subarray(from, to))).toBe(0);
  });

  test("behind the end is 416 with the size", async () => {
    const got = await send(`/${id}`, { headers: { range: "bytes=100000-" } });
    expect([got.status, got.headers.get("content-range")]).toEqual([416, "bytes */100000"]);
  });

  test("of another file than the caller thinks is the whole file", async () => {
    const same = { range: "bytes=0-0", "if-range": `"${sha256(bytes)}"` };
    expect((await send(`/${id}`, { headers: same })).status).toBe(206);
    expect((await send(`/${id}`, { headers: { ...same, "if-range": '"other"' } })).status).toBe(200);
  });
});
