import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sha256, someBytes } from "../../device-agent/spool/spool-bench.ts";
import { legacyCall, postRaw, toolError } from "../support/rpc.ts";
import { ownerToken } from "../support/start-test-gateway.ts";
import { ask, type FileRequest, type Joined, joinGatewayAndDeviceAgent, reader, stranger } from "./joined.ts";

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
const bytesOf = (length: number) => someBytes(length) as Uint8Array<ArrayBuffer>;

describe("whose a file is", () => {
  test("somebody else's, an unknown and a removed one are the same 404", async () => {
    const { id } = (await upload(bytesOf(10))).json;
    const removed = (await upload(bytesOf(10))).json.id;
    expect((await send(`/${removed}`, { method: "DELETE" })).status).toBe(204);
    const asks: [string, FileRequest][] = [
      [`/${id}`, { token: stranger.token }],
      [`/${id}`, { token: stranger.token, method: "DELETE" }],
      [`/${id}`, { token: stranger.token, method: "PUT", body: bytesOf(1) }],
      ["/file_aaaaaaaaaaaaaaaaaaaaaaaaaa", {}],
      ["/..%2f..%2fetc", {}],
      [`/${removed}`, {}],
    ];
    const answers = await Promise.all(asks.map(([path, request]) => send(path, request)));
    expect(answers.map(({ status }) => status)).toEqual(asks.map(() => 404));
    expect(new Set(answers.map(({ json }) => JSON.stringify(json)))).toHaveLength(1);
    expect((await send(`/${id}`)).status).toBe(200);
  });

  test("an upload needs a token, and one that allows danger", async () => {
    expect((await upload(bytesOf(10), "", { token: null })).status).toBe(401);
    const answer = await upload(bytesOf(10), "", { token: reader.token });
    expect([answer.status, answer.json.error.code]).toEqual([403, "permission_denied"]);
    expect(answer.headers.get("www-authenticate")).toContain('scope="device:danger"');
  });

  test("a token in the address is no token", async () => {
    const { id } = (await upload(bytesOf(10))).json;
    expect((await send(`/${id}?access_token=${ownerToken}`, { token: null })).status).toBe(401);
  });

  test("a file is there for its owner while the phone is away, and the device agent is not", async () => {
    const bytes = bytesOf(10);
    const { id } = (await upload(bytes)).json;
    joined.phones.unplug("a");
    expect(Buffer.compare((await send(`/${id}`)).bytes, bytes)).toBe(0);
    await joined.stopDeviceAgent();
    for (const method of ["GET", "DELETE"]) expect((await send(`/${id}`, { method })).status).toBe(503);
    await joined.startDeviceAgent();
    expect(Buffer.compare((await send(`/${id}`)).bytes, bytes)).toBe(0);
  });

  test("a file that the device agent lost is forgotten", async () => {
    const { id } = (await upload(bytesOf(10))).json;
    await joined.spool().remove({ tenant: "default", subject: "owner" }, id);
    expect((await send(`/${id}`)).status).toBe(404);
    expect((await send(`/${id}`, { method: "HEAD" })).status).toBe(404);
  });
});

describe("an upload in a tool", () => {
  const call = (name: string, args: object, token?: string) =>
    postRaw(joined.gateway.mcp, legacyCall(name, args), token === undefined ? {} : { token });

  test("is pushed to the phone whole", async () => {
    const bytes = bytesOf(9_000_000);
    const { id } = (await upload(bytes)).json;
    const { message } = await call("push_file", { path: "/sdcard/Download/a.bin", file_id: id });
    expect(message.result.structuredContent).toEqual({ ok: true, done: true, next_offset: 9_000_000 });
    const { pieces } = joined.device.control;
    expect(Buffer.compare(Buffer.concat(pieces.map((piece) => piece.bytes)), bytes)).toBe(0);
    expect(pieces.at(-1)).toMatchObject({ last: true, sha256: sha256(bytes) });
  });

  test("is installed, beside other sources", async () => {
    const bytes = bytesOf(1_000);
    const { id } = (await upload(bytes)).json;
    await call("install_app", { apks: [id, "/sdcard/split.apk"] });
    expect(joined.device.control.sources).toMatchObject([
      { kept: { bytes: 1_000, sha256: sha256(bytes) } },
      { path: "/sdcard/split.apk" },
    ]);
  });

  test("of somebody else is not found, and half of one is not used", async () => {
    const { id } = (await upload(bytesOf(10))).json;
    const foreign = await call("push_file", { path: "/sdcard/a", file_id: id }, stranger.token);
    expect(toolError(foreign).code).toBe("target_not_found");
    const half = (await send("?bytes=100", { method: "POST" })).json.id;
    expect(toolError(await call("install_app", { apks: [half] })).message).toContain("0 of 100 bytes");
  });
});

test("every request leaves a line on both sides, under one id", async () => {
  const { id } = (await upload(bytesOf(10), "?name=secret-plans.pdf")).json;
  await send(`/${id}`);
  await send(`/${id}`, { token: stranger.token });
  await send(`/${id}`, { method: "DELETE" });
  const log = join(joined.gateway.dataDir, "audit.jsonl");
  const rows = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line));
  await expect.poll(rows, { timeout: 5_000 }).toHaveLength(4);
  expect(rows().map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
    "POST /files ok",
    "GET /files ok",
    "GET /files target_not_found",
    "DELETE /files ok",
  ]);
  await expect.poll(() => joined.audited.map(({ tool }) => tool)).toEqual(["file_create", "file_read", "file_remove"]);
  const ids = rows().map((row) => row.call_id);
  expect(ids).toEqual(expect.arrayContaining(joined.audited.map(({ callId }) => callId)));
});

test("other methods are 405, and a browser learns what it may do", async () => {
  expect((await send("", {})).headers.get("allow")).toBe("POST, OPTIONS");
  expect((await send("/x", { method: "POST" })).headers.get("allow")).toContain("PUT");
  const origin = joined.gateway.url;
  const { status, headers } = await send("/x", { method: "OPTIONS", token: null, headers: { origin } });
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-methods")).toContain("PUT");
  expect(headers.get("access-control-allow-headers")).toContain("Content-Range");
});
