import { createHash, randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { Device } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { Rig, type RouteKind } from "./rig.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const routes: RouteKind[] = process.env.FARHAND_TEST_WITHOUT_ADB ? ["direct"] : ["direct", "adb server"];
const path = "/sdcard/Download/a b's.bin";
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const piece = (bytes: Uint8Array, offset: number, last: boolean, sha256?: string) => ({
  path,
  bytes,
  offset,
  last,
  sha256,
});
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => new CodedError("internal", "no error"),
    (error: CodedError) => error,
  );
const whole = (device: Device, from: string) => device.files.pull({ path: from, offset: 0, length: 1_000 }, never);

describe.each(routes)("by the %s", (route) => {
  test("a file goes there in pieces, has its name when it is whole, and comes back in pieces", async () => {
    const { sim, device } = await rig.device(route);
    const bytes = randomBytes(20_000);
    await device.files.push(piece(bytes.subarray(0, 9_000), 0, false), never);
    expect(sim.files.exists(path)).toBe(false);
    await device.files.push(piece(bytes.subarray(9_000), 9_000, true, sha256Of(bytes)), never);
    expect(sha256Of(sim.files.read(path))).toBe(sha256Of(bytes));
    const { bytes: read, size } = await device.files.pull({ path, offset: 5_001, length: 10_000 }, never);
    expect(size).toBe(20_000);
    expect(sha256Of(read)).toBe(sha256Of(bytes.subarray(5_001, 15_001)));
    expect(await device.files.digest(path, never)).toBe(sha256Of(bytes));
  });
});

describe("files", () => {
  test("a piece that does not fit is refused with the offset to go on from", async () => {
    const { device } = await rig.device("direct");
    await device.files.push(piece(new Uint8Array(100), 0, false), never);
    const refused = await errorOf(device.files.push(piece(new Uint8Array(5), 90, true), never));
    expect(refused.code).toBe("invalid_argument");
    expect(refused.message).toBe("The phone has 100 bytes of this file; go on at offset 100.");
    await device.files.push(piece(new Uint8Array(5), 100, true), never);
    expect((await whole(device, path)).size).toBe(105);
  });

  test("a file with another digest never gets its name", async () => {
    const { sim, device } = await rig.device("direct");
    sim.files.write(path, Buffer.from("as it was"));
    const sent = device.files.push(piece(Buffer.from("hello"), 0, true, "0".repeat(64)), never);
    expect(await codeOf(sent)).toBe("invalid_argument");
    expect(String(sim.files.read(path))).toBe("as it was");
    expect(sim.files.exists(`${path}.part`)).toBe(false);
  });

  test("what cannot be read or written says why", async () => {
    const { device } = await rig.device("direct");
    const push = (to: string) => device.files.push({ ...piece(Buffer.from("x"), 0, true), path: to }, never);
    const told = async (promise: Promise<unknown>) => {
      const { code, message } = await errorOf(promise);
      return `${code}: ${message}`;
    };
    expect(await told(push("/system/app/x"))).toBe("file_refused: This part of the phone cannot be written.");
    expect(await told(push("/data/data/com.a.b/x"))).toBe("file_refused: The shell may not touch this file.");
    expect(await told(push("/sdcard/Download"))).toBe("invalid_argument: This is a folder, not a file.");
    expect(await told(whole(device, "/sdcard/nothing"))).toBe("target_not_found: There is no such file on the phone.");
    expect(await told(whole(device, "/sdcard"))).toBe("invalid_argument: This is a folder, not a file.");
    expect(await told(whole(device, "/data/data/x"))).toBe("file_refused: The shell may not touch this file.");
  });

  test("a file that is made while it is read has content and no size", async () => {
    const { device } = await rig.device("direct");
    const { bytes, size } = await whole(device, "/proc/sys/kernel/random/boot_id");
    expect(size).toBe(0);
    expect(Buffer.from(bytes).toString()).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  test("Android 6 takes and gives files too", async () => {
    const { sim, device } = await rig.device("direct", { quirks: { oldAndroid: true } });
    await device.files.push(piece(Buffer.from("one\r\n"), 0, false), never);
    const sha256 = "ffa132bf4634037d231dfe1e922870ff464ba93b51618969bf912461335ccf06";
    await device.files.push(piece(Buffer.from("two\0"), 5, true, sha256), never);
    expect(String(sim.files.read(path))).toBe("one\r\ntwo\0");
    expect(String(Buffer.from((await whole(device, path)).bytes))).toBe("one\r\ntwo\0");
  });
});
