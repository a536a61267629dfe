import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { createPictureEncoder } from "../../../device-agent/pictures/create-picture-encoder.ts";
import type { Device } from "../../../shared/device.ts";
import { limits } from "../../../shared/limits.ts";
import { toolCaller } from "../../support/tool-caller.ts";
import { Rig } from "../adb/rig.ts";
import { codeOf, never } from "../adb/test-parts.ts";
import { runsOf } from "./touches.ts";

const rig = new Rig();
afterEach(() => rig.close());

const request = { maxWidth: 540, quality: 70, maxBytes: 700_000 };

describe.each(["android6", "android14"] as const)("on %s", (profile) => {
  test("a picture that ends in the middle is taken again, and never shown in part", async () => {
    const once = await rig.device("direct", { profile, quirks: { ...old(profile), cutCapture: 1 } });
    expect(await once.device.capture(request, never)).toMatchObject({ native: { width: 540, height: 1200 } });
    const always = await rig.device("direct", { profile, quirks: { ...old(profile), cutCapture: "always" } });
    expect(await codeOf(always.device.capture(request, never))).toBe("screenshot_failed");
  });
});

const old = (profile: string) => (profile === "android6" ? { oldAndroid: true } : {});

test("a warning about several displays in front of the picture does no harm, by PNG and by raw pixels", async () => {
  const { device } = await rig.device("direct", { quirks: { multiDisplayWarning: true } });
  const taken = [await device.capture(request, never), await device.capture(request, never)];
  taken.push(await device.capture(request, never));
  expect(new Set(taken.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test("a secret window, a dark screen and a slow picture are told apart, and the secret one still has a tree", async () => {
  const { device, sim } = await rig.device("direct");
  sim.open("app.farhand.bank");
  const { nodes } = await device.readTree(never);
  for (const [id, text] of [
    ["username", "jo"],
    ["password", "secret"],
  ] as const) {
    const field = nodes.find((node) => node.resourceId.endsWith(id))?.bounds;
    await device.tap({ x: (field?.left ?? 0) + 9, y: (field?.top ?? 0) + 9 }, never);
    await device.typeText(text, never);
  }
  const submit = (await device.readTree(never)).nodes.find((node) => /Sign in/.test(node.text) && node.clickable);
  await device.tap({ x: (submit?.bounds.left ?? 0) + 9, y: (submit?.bounds.top ?? 0) + 9 }, never);
  expect(await codeOf(device.capture(request, never))).toBe("screen_secure");
  expect((await device.readTree(never)).nodes.length).toBeGreaterThan(3);
  sim.lock();
  expect(await codeOf(device.capture(request, never))).toBe("screen_off");
  const slow = await rig.device("direct", { quirks: { slowCaptureMs: 20_000 } });
  expect(await codeOf(slow.device.capture(request, AbortSignal.timeout(600)))).toBe("deadline_exceeded");
});

test("reading a dark screen neither wakes it nor presses the power key, and waking twice leaves it awake", async () => {
  const { device, sim } = await rig.device("direct");
  sim.lock();
  for (const read of [() => device.capture(request, never), () => device.readTree(never)])
    expect(await codeOf(read())).toBe("screen_off");
  expect(sim.screen.wakefulness).toBe("Asleep");
  await device.wake(never);
  await device.wake(never);
  expect(sim.screen.wakefulness).toBe("Awake");
  const pressed = JSON.stringify([runsOf(sim, "input", "keyevent"), sim.screen.receivedInputs]);
  expect(pressed).not.toMatch(/"26"|POWER/);
});

test("a large screen full of noise becomes an answer of less than a million bytes and at most 1568 pixels", async () => {
  const encoder = await createPictureEncoder();
  const size = { width: 1440, height: 3200 };
  const frame = { kind: "rgba" as const, size, bytes: new Uint8Array(randomBytes(1440 * 3200 * 4)) };
  const { device } = await rig.device("direct");
  const noisy: Device = {
    ...device,
    async capture(wanted) {
      const made = await encoder.encode(frame, { maxSide: limits.pictureMaxSide, ...wanted });
      const { width, height } = made.size;
      return { ...made, width, height, rotation: 0, black: false };
    },
  };
  const { output, pictures } = await toolCaller(noisy).call("take_screenshot", { max_width: 1440 });
  expect(pictures).toHaveLength(1);
  for (const { width, height, mimeType, bytes } of pictures) {
    expect(Math.max(width, height)).toBeLessThanOrEqual(1568);
    const data = Buffer.from(bytes).toString("base64");
    expect(JSON.stringify({ output, data, mimeType }).length).toBeLessThan(1_000_000);
  }
});

test("what the tool calls a picture's type is what its bytes are", async () => {
  const { device } = await rig.device("direct");
  const { pictures = [] } = await toolCaller(device).call("take_screenshot");
  expect(pictures).toHaveLength(1);
  for (const { mimeType, bytes } of pictures) {
    const magic = Buffer.from(bytes.subarray(0, 4)).toString("hex");
    expect(magic.startsWith(mimeType === "image/png" ? "89504e47" : "ffd8ff")).toBe(true);
  }
});
