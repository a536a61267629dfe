import { crc32, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createPictureEncoder } from "../../../device-agent/pictures/create-picture-encoder.ts";
import { findPng } from "../../../device-agent/pictures/find-png.ts";
import { mimeTypeOf } from "../../../device-agent/pictures/mime-type.ts";
import type { PictureEncoder } from "../../../device-agent/pictures/picture-encoder.ts";
import { createPlainEncoder } from "../../../device-agent/pictures/plain-encoder.ts";
import { readRawFrame } from "../../../device-agent/pictures/raw-frame.ts";
import { captureBytes, hasCaptures } from "./captures.ts";

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function png(width: number, height: number, pixel: (at: number) => number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width * 4; x++)
      rows[y * (width * 4 + 1) + 1 + x] = x % 4 === 3 ? 255 : pixel(y * width * 4 + x);
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function noise(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 24;
  };
}

const usual = { maxWidth: 540, maxSide: 1568, quality: 70, maxBytes: 700_000 };

test("a picture is found behind warnings and in front of rubbish", () => {
  const whole = png(4, 2, () => 200);
  const warning = "[Warning] Multiple displays were found, but no display id was specified!\n";
  const found = findPng(Buffer.concat([Buffer.from(warning), whole, Buffer.from("bye\n")]));
  expect(found).toMatchObject({ ok: true, size: { width: 4, height: 2 } });
  expect(found.ok && Buffer.from(found.bytes).equals(whole)).toBe(true);
});

test("a picture that was cut or damaged anywhere is none", () => {
  const whole = png(4, 2, () => 200);
  for (let length = 0; length < whole.length; length++) expect(findPng(whole.subarray(0, length)).ok).toBe(false);
  const damaged = Buffer.from(whole);
  damaged[50] = (damaged[50] ?? 0) ^ 1;
  expect(findPng(damaged)).toEqual({ ok: false, reason: "damaged on the way" });
  expect(findPng(new Uint8Array(0))).toEqual({ ok: false, reason: "no bytes" });
  expect(findPng(Buffer.from("error: no screen\n"))).toEqual({ ok: false, reason: "no PNG signature" });
});

test("raw frames of old and new phones are told apart by their length", () => {
  const old = Buffer.concat([Buffer.from(Uint32Array.of(2, 1, 1).buffer), Buffer.alloc(8, 7)]);
  expect(readRawFrame(old)).toMatchObject({ size: { width: 2, height: 1 } });
  const current = Buffer.concat([Buffer.from(Uint32Array.of(2, 1, 1, 1).buffer), Buffer.alloc(8, 9)]);
  expect([...(readRawFrame(current)?.bytes ?? [])]).toEqual([9, 9, 9, 9, 9, 9, 9, 9]);
  expect(readRawFrame(current.subarray(0, 19))).toBeUndefined();
  expect(readRawFrame(Buffer.concat([Buffer.from(Uint32Array.of(2, 1, 4).buffer), Buffer.alloc(8)]))).toBeUndefined();
});

test("the type of a picture is what its bytes are", () => {
  expect(mimeTypeOf(png(1, 1, () => 0))).toBe("image/png");
  expect(mimeTypeOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0))).toBe("image/jpeg");
  expect(mimeTypeOf(Buffer.from("<html>"))).toBeUndefined();
});

describe.each<[string, () => Promise<PictureEncoder>]>([
  ["sharp", () => createPictureEncoder()],
  ["plain JavaScript", async () => createPlainEncoder()],
])("with %s", (_, create) => {
  test("a screen becomes a JPEG of the width asked for", async () => {
    const encoder = await create();
    const picture = await encoder.encode({ kind: "png", bytes: png(1080, 600, (at) => at % 251) }, usual);
    expect(picture).toMatchObject({
      mimeType: "image/jpeg",
      size: { width: 540, height: 300 },
      native: { width: 1080, height: 600 },
      quality: 70,
    });
    expect(mimeTypeOf(picture.bytes)).toBe("image/jpeg");
  });

  test("a small screen is not enlarged, and a long one is kept within the longest side", async () => {
    const encoder = await create();
    const small = await encoder.encode({ kind: "png", bytes: png(100, 50, () => 9) }, usual);
    expect(small.size).toEqual({ width: 100, height: 50 });
    const long = await encoder.encode({ kind: "png", bytes: png(500, 3136, () => 9) }, { ...usual, maxWidth: 4000 });
    expect(long.size).toEqual({ width: 250, height: 1568 });
  });

  test("pure noise is made to fit", async () => {
    const encoder = await create();
    const next = noise();
    const frame = { kind: "png", bytes: png(900, 700, () => next()) } as const;
    const picture = await encoder.encode(frame, { maxWidth: 900, maxSide: 1568, quality: 95, maxBytes: 60_000 });
    expect(picture.bytes.length).toBeLessThanOrEqual(60_000);
    expect(picture.quality).toBeLessThan(95);
    expect(picture.size.width).toBeGreaterThan(100);
  });

  test("one changed pixel changes the fingerprint, and nothing else does", async () => {
    const encoder = await create();
    const frame = (changed: number) => ({ kind: "png", bytes: png(40, 30, (at) => (at === changed ? 1 : 0)) }) as const;
    const first = await encoder.encode(frame(-1), usual);
    const again = await encoder.encode(frame(-1), { ...usual, quality: 30 });
    const other = await encoder.encode(frame(2000), usual);
    expect(again.fingerprint).toBe(first.fingerprint);
    expect(other.fingerprint).not.toBe(first.fingerprint);
    expect(first.blackShare).toBe(1);
  });

  test("the same screen has one fingerprint by either way", async () => {
    const encoder = await create();
    const colour = (at: number) => (at * 7) % 256;
    const bytes = Uint8Array.from({ length: 40 * 30 * 4 }, (_, at) => (at % 4 === 3 ? 0 : colour(at)));
    const raw = await encoder.encode({ kind: "rgba", size: { width: 40, height: 30 }, bytes }, usual);
    const asPng = await encoder.encode({ kind: "png", bytes: png(40, 30, colour) }, usual);
    expect(raw.fingerprint).toBe(asPng.fingerprint);
  });

  test("raw pixels and their PNG give the same picture size and darkness", async () => {
    const encoder = await create();
    const bytes = new Uint8Array(20 * 10 * 4).fill(255);
    const picture = await encoder.encode({ kind: "rgba", size: { width: 20, height: 10 }, bytes }, usual);
    expect(picture).toMatchObject({ size: { width: 20, height: 10 }, blackShare: 0, mimeType: "image/jpeg" });
  });
});

describe.runIf(hasCaptures)("bytes of real phones", () => {
  test("the warning of a phone with two displays is skipped, and a head alone is no picture", () => {
    expect(findPng(captureBytes("failures/screencap-multi-display-prefix.bin"))).toEqual({
      ok: false,
      reason: "cut before the end",
    });
  });

  test("raw heads of both lengths are read", () => {
    expect(readRawFrame(captureBytes("framebuffer/screencap-raw-12byte.bin"))?.size).toEqual({ width: 2, height: 1 });
    expect(readRawFrame(captureBytes("framebuffer/screencap-raw-16byte.bin"))?.size).toEqual({ width: 2, height: 1 });
  });
});
