import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { ScreenCapture } from "../../../device-agent/adb/screen/capture.ts";
import { createPictureEncoder } from "../../../device-agent/pictures/create-picture-encoder.ts";
import type { Rotation, ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { clock, codeOf, never, silent } from "./test-parts.ts";

const request = { maxWidth: 540, quality: 70, maxBytes: 700_000 };
const on: ScreenStatus = {
  size: { width: 60, height: 100 },
  rotation: 0,
  awake: true,
  locked: false,
  secureLock: false,
  keyboard: [],
};
const color = (background: string, width = 60, height = 100) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const raw = (width: number, height: number) =>
  gzipSync(
    Buffer.concat([Buffer.from(Uint32Array.of(width, height, 1, 1).buffer), Buffer.alloc(width * height * 4, 99)]),
  );

const secureWindows =
  "  Window #3 Window{aa11 u0 com.bank/com.bank.Main}:\n      fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH\n  mCurrentFocus=Window{aa11 u0 com.bank/com.bank.Main}\n";

interface Script {
  screencap: (command: string, time: number) => string | Uint8Array | Promise<string | Uint8Array>;
  status?: (time: number) => ScreenStatus;
  windows?: string;
  displays?: string;
  viewports?: string;
}

async function captureOf(script: Script, time = clock) {
  let pictures = 0;
  let looks = 0;
  const runner = scriptedRunner((command) => {
    if (command.startsWith("screencap")) return script.screencap(command, pictures++);
    if (command.includes("--display-id")) return script.displays ?? "Display 1 (HWC display 0): port=0\n";
    if (command === "dumpsys display") return script.viewports ?? "";
    return script.windows ?? "";
  });
  const readStatus = async () => script.status?.(looks++) ?? on;
  const capture = new ScreenCapture({
    runner,
    clock: time,
    logger: silent,
    encoder: await createPictureEncoder(),
    readStatus,
  });
  return { runner, take: () => capture.capture(request, never) };
}

const screencaps = (asked: string[]) => asked.filter((command) => command.startsWith("screencap"));

test("a picture carries its size, that of the screen, rotation and quality", async () => {
  const { take } = await captureOf({
    screencap: () => color("#336699", 100, 60),
    status: () => ({ ...on, size: { width: 100, height: 60 }, rotation: 3 }),
  });
  expect(await take()).toMatchObject({
    mimeType: "image/jpeg",
    width: 100,
    height: 60,
    native: { width: 100, height: 60 },
    rotation: 3,
    quality: 70,
    black: false,
  });
});

test("warnings around the picture do no harm", async () => {
  const { take } = await captureOf({
    screencap: async () =>
      Buffer.concat([
        Buffer.from("[Warning] Multiple displays were found\n"),
        await color("#fff"),
        Buffer.from("\nbye"),
      ]),
  });
  expect((await take()).native).toEqual({ width: 60, height: 100 });
});

test("a sleeping phone is said to sleep, and is not woken", async () => {
  const { take, runner } = await captureOf({ screencap: () => color("#000"), status: () => ({ ...on, awake: false }) });
  expect(await codeOf(take())).toBe("screen_off");
  expect(runner.asked.some((command) => command.startsWith("input"))).toBe(false);
});

test("a sleeping phone is told at once, even if its picture hangs", async () => {
  const { take } = await captureOf({ screencap: () => new Promise(() => {}), status: () => ({ ...on, awake: false }) });
  const startedAt = Date.now();
  expect(await codeOf(take())).toBe("screen_off");
  expect(Date.now() - startedAt).toBeLessThan(1000);
});

test("a black picture is secret only if the window in front says so", async () => {
  const black = await captureOf({ screencap: () => color("#000000") });
  expect(await black.take()).toMatchObject({ black: true });
  const secret = await captureOf({ screencap: () => color("#000000"), windows: secureWindows });
  expect(await codeOf(secret.take())).toBe("screen_secure");
});

test("no bytes from a window that forbids pictures is secret too", async () => {
  const { take } = await captureOf({ screencap: () => "", windows: secureWindows });
  expect(await codeOf(take())).toBe("screen_secure");
});

test("a bright picture is never called secret", async () => {
  const { take } = await captureOf({ screencap: () => color("#ffffff"), windows: secureWindows });
  expect(await take()).toMatchObject({ black: false });
});

test("a cut picture is taken again once", async () => {
  const whole = await color("#fff");
  const once = await captureOf({ screencap: (_, time) => (time === 0 ? whole.subarray(0, 40) : whole) });
  expect((await once.take()).native).toEqual({ width: 60, height: 100 });
  const always = await captureOf({ screencap: () => whole.subarray(0, 40) });
  expect(await codeOf(always.take())).toBe("screenshot_failed");
  expect(screencaps(always.runner.asked)).toHaveLength(2);
});

test("a picture that takes too long is late, not secret", async () => {
  const late = new CodedError("deadline_exceeded", "Too late.");
  const { take } = await captureOf({ screencap: () => Promise.reject(late), windows: secureWindows });
  expect(await codeOf(take())).toBe("deadline_exceeded");
});

test("with several panels the one that shows the main display is named", async () => {
  const { take, runner } = await captureOf({
    screencap: () => color("#fff"),
    displays:
      "Display 4630946219955703955 (HWC display 0): port=0\nDisplay 4630946219955703956 (HWC display 1): port=1\n",
    viewports:
      "mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:4630946219955703956'}]",
  });
  await take();
  expect(screencaps(runner.asked)).toEqual(["screencap -p -d 4630946219955703956"]);
});

test("with one panel none is named", async () => {
  const { take, runner } = await captureOf({ screencap: () => color("#fff") });
  await take();
  expect(screencaps(runner.asked)).toEqual(["screencap -p"]);
});

test("a phone that was turned in between gives a picture of its new shape", async () => {
  const turned = (rotation: Rotation) => ({ ...on, size: { width: 100, height: 60 }, rotation });
  const { take } = await captureOf({
    screencap: () => color("#fff", 100, 60),
    status: (time) => (time === 0 ? on : turned(1)),
  });
  expect(await take()).toMatchObject({ native: { width: 100, height: 60 }, rotation: 1 });
});

test("a phone whose pictures have the panel's size is taken at its word after one more look", async () => {
  const { take, runner } = await captureOf({
    screencap: (command) => (command.includes("gzip") ? raw(120, 200) : color("#fff", 120, 200)),
  });
  expect((await take()).native).toEqual({ width: 60, height: 100 });
  expect(screencaps(runner.asked)).toHaveLength(2);
});

test("the faster way is found out and kept", async () => {
  let now = 0;
  const time = { ...clock, now: () => now };
  const screencap = (command: string) => {
    const isRaw = command.includes("gzip");
    now += isRaw ? 100 : 300;
    return isRaw ? raw(60, 100) : color("#fff");
  };
  const slowPng = await captureOf({ screencap }, time);
  for (let round = 0; round < 4; round++) await slowPng.take();
  expect(screencaps(slowPng.runner.asked).map((command) => command.includes("gzip"))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test("a phone without gzip keeps to PNG", async () => {
  const { take, runner } = await captureOf({ screencap: (command) => (command.includes("gzip") ? "" : color("#fff")) });
  for (let time = 0; time < 4; time++) await take();
  expect(screencaps(runner.asked).map((command) => command.includes("gzip"))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});
