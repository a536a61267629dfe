import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FakeDevice } from "../../support/fake-device.ts";
import { toolCaller } from "../../support/tool-caller.ts";

const id = "file_aaaaaaaaaaaaaaaaaaaaaaaaaa";
const path = "/sdcard/Download/big.bin";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function bench(bytes: Uint8Array) {
  const device = new FakeDevice();
  const caller = toolCaller(device);
  caller.files.set(id, bytes);
  const refusal = (tool: string, input: object) =>
    caller.call(tool, input).then(
      () => "no error",
      ({ code, message }) => `${code}: ${message}`,
    );
  return { device, ...caller, refusal };
}

describe("push_file with an upload", () => {
  test("copies it in pieces, with progress, and has it checked on the phone", async () => {
    const bytes = new Uint8Array(9_000_000).map((_, index) => index % 251);
    const { device, call, progress } = bench(bytes);
    const { output } = await call("push_file", { path, file_id: id });
    expect(output).toEqual({ ok: true, done: true, next_offset: 9_000_000 });
    const { pieces } = device.control;
    expect(pieces.map(({ offset, last }) => [offset, last])).toEqual([
      [0, false],
      [4_194_304, false],
      [8_388_608, true],
    ]);
    expect(Buffer.compare(Buffer.concat(pieces.map((piece) => piece.bytes)), bytes)).toBe(0);
    expect(pieces.at(-1)?.sha256).toBe(sha256(bytes));
    expect(progress.map(({ done }) => done)).toEqual([4_194_304, 8_388_608, 9_000_000]);
  });

  test("stops while there is time to say so, and goes on at the offset that it told", async () => {
    const bytes = new Uint8Array(9_000_000);
    const { device, call, pass } = bench(bytes);
    // A phone that takes 16 s for a piece.
    device.before = (action) => (action === "pushFile" ? pass(16_000) : undefined);
    const first = await call("push_file", { path, file_id: id });
    expect(first.output).toEqual({ ok: true, done: false, next_offset: 4_194_304 });
    device.before = () => {};
    const rest = await call("push_file", { path, file_id: id, offset: 4_194_304 });
    expect(rest.output).toEqual({ ok: true, done: true, next_offset: 9_000_000 });
  });

  test("pushes an empty file too", async () => {
    const { device, call } = bench(new Uint8Array(0));
    expect((await call("push_file", { path, file_id: id })).output).toMatchObject({ done: true, next_offset: 0 });
    expect(device.control.pieces).toHaveLength(1);
  });

  test.each([
    [{}, "invalid_argument: Give one of file_id and content."],
    [{ file_id: id, content: "x" }, "invalid_argument: Give one of file_id and content."],
    [{ file_id: id, offset: 4 }, "invalid_argument: The upload has 3 bytes; the offset is behind its end."],
    [{ file_id: "file_bbbbbbbbbbbbbbbbbbbbbbbbbb" }, "target_not_found: There is no such file."],
    [
      { file_id: "../../etc/passwd" },
      "invalid_argument: These arguments do not fit: file_id: must be the id of an upload.",
    ],
  ])("refuses %j before the phone is touched", async (input, expected) => {
    const { device, refusal } = bench(new Uint8Array(3));
    expect(await refusal("push_file", { path, ...input })).toBe(expected);
    expect(device.done).toEqual([]);
  });
});

describe("install_app with uploads", () => {
  test("takes them among addresses and paths, each address with its digest", async () => {
    const { device, call } = bench(new Uint8Array(3));
    const digest = "a".repeat(64);
    await call("install_app", { apks: [id, "https://example.com/b.apk", "/sdcard/c.apk"], sha256: [digest] });
    expect(device.control.sources).toMatchObject([
      { kept: { bytes: 3 } },
      { url: "https://example.com/b.apk", sha256: digest },
      { path: "/sdcard/c.apk" },
    ]);
  });

  test("refuses one that is not there, and what looks like none of the three", async () => {
    const { device, refusal } = bench(new Uint8Array(3));
    expect(await refusal("install_app", { apks: ["file_bbbbbbbbbbbbbbbbbbbbbbbbbb"] })).toMatch(/^target_not_found/);
    expect(await refusal("install_app", { apks: ["file_x"] })).toContain("an https address, a file_id or a path");
    expect(device.done).toEqual([]);
  });
});
