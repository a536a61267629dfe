import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decodeFrame, encodeFrame } from "../../shared/link/frame.ts";
import { linkProtocol, toDeviceAgentSchema, toGatewaySchema } from "../../shared/link/messages.ts";

const folder = new URL("./link-vectors/1/", import.meta.url);
const vectors = readdirSync(folder).map((file) => ({
  type: file.replace(".json", ""),
  message: JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Record<string, unknown>,
}));

/** Installed device agents speak what is written here: a change of a vector is a change of the protocol. */
describe("link protocol 1", () => {
  test("is the newest and the oldest that this version speaks", () => {
    expect(linkProtocol).toEqual({ newest: 1, oldest: 1 });
  });

  test("has one vector for every message of either direction", () => {
    const known = [...toGatewaySchema.options, ...toDeviceAgentSchema.options].map((one) => one.shape.type.value);
    expect(vectors.map(({ type }) => type).sort()).toEqual(known.sort());
  });

  test.each(vectors)("reads $type and loses nothing of it", ({ type, message }) => {
    const schema = [toGatewaySchema, toDeviceAgentSchema].find((one) =>
      one.options.some((option) => option.shape.type.value === type),
    );
    expect(schema?.parse(message)).toEqual(message);
  });

  test.each(vectors)("ignores fields of a newer version in $type", ({ type, message }) => {
    const schema = [toGatewaySchema, toDeviceAgentSchema].find((one) =>
      one.options.some((option) => option.shape.type.value === type),
    );
    expect(schema?.parse({ ...message, fromTheFuture: 1 })).toEqual(message);
  });

  test("frames are a big-endian head length, the head and raw bytes", () => {
    const frame = encodeFrame({ type: "cancel", id: "a" }, [Uint8Array.of(0xff, 0x00), Uint8Array.of(0x7f)]);
    expect(Buffer.from(frame).toString("hex")).toBe(
      `0000001a${Buffer.from('{"type":"cancel","id":"a"}').toString("hex")}ff007f`,
    );
    expect(decodeFrame(frame)).toEqual({ head: { type: "cancel", id: "a" }, body: Uint8Array.of(0xff, 0x00, 0x7f) });
  });

  test.each([
    ["nothing", ""],
    ["half a length", "0000"],
    ["a head longer than the frame", "000000097b7d"],
    ["a head that is not JSON", "000000027b7b"],
    ["a head that is not UTF-8", "00000002c328"],
  ])("refuses a frame with %s", (_, hex) => {
    expect(() => decodeFrame(Buffer.from(hex, "hex"))).toThrow(TypeError);
  });
});
