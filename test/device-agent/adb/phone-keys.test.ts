import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BackOff } from "../../../device-agent/adb/phones/back-off.ts";
import { describeIdentity, type Identity } from "../../../device-agent/adb/phones/identity.ts";
import { IdentityMemory } from "../../../device-agent/adb/phones/identity-memory.ts";
import { PhoneKeys } from "../../../device-agent/adb/phones/phone-keys.ts";
import { silent } from "./test-parts.ts";

const phone = (hardwareSerial: string, androidId = "", bootId = ""): Identity => ({
  hardwareSerial,
  androidId,
  bootId,
  name: "N",
  model: "M",
  androidRelease: "14",
});
const here = () => true;
const away = () => false;

test("a phone keeps its key by every way and after it was started anew", () => {
  const keys = new PhoneKeys();
  expect(keys.keyFor(phone("A", "1111111111111111", "boot-1"), "usb", away)).toBe("A");
  expect(keys.keyFor(phone("A", "1111111111111111", "boot-2"), "10.0.0.1:5555", here)).toBe("A");
});

test("another phone with the same serial gets a key of its own", () => {
  const keys = new PhoneKeys();
  keys.keyFor(phone("A", "1111111111111111"), "x", away);
  expect(keys.keyFor(phone("A", "2222222222222222"), "y", away)).toBe("A.2222222222222222");
  expect(keys.keyFor(phone("A", "1111111111111111"), "x", here)).toBe("A");
});

test("without an Android id, the boot id tells two phones apart while both are there", () => {
  const keys = new PhoneKeys();
  expect(keys.keyFor(phone("A", "", "boot-1"), "x", away)).toBe("A");
  expect(keys.keyFor(phone("A", "", "boot-2"), "y", here)).toBe("A.boot-2");
  expect(new PhoneKeys().keyFor(phone("A", "", "boot-2"), "y", here)).toBe("A");
});

test("after a restart alone, a new boot id is the same phone", () => {
  const keys = new PhoneKeys();
  keys.keyFor(phone("A", "", "boot-1"), "x", away);
  expect(keys.keyFor(phone("A", "", "boot-2"), "x", away)).toBe("A");
});

test("serials that name nothing are made unique", () => {
  const keys = new PhoneKeys();
  expect(keys.keyFor(phone("", "1111111111111111"), "x", away)).toBe("phone.1111111111111111");
  expect(keys.keyFor(phone("unknown", "", ""), "10.0.0.1:5555", away)).toBe("10.0.0.1:5555");
});

test("a phone is named as its maker calls it, else by its model", () => {
  const read = (properties: Record<string, string>) =>
    describeIdentity(new Map(Object.entries(properties)), "null", "x");
  expect(read({ "ro.product.marketname": "Redmi Note 12", "ro.product.model": "23021RAAEG" })).toMatchObject({
    name: "Redmi Note 12",
    model: "23021RAAEG",
    androidId: "",
    bootId: "",
  });
  expect(read({ "ro.product.model": "Pixel 7" }).name).toBe("Pixel 7");
  expect(read({}).name).toBe("Android phone");
});

test("pauses grow to a limit and begin anew after a success", () => {
  const backOff = new BackOff(100, 350, () => 0);
  expect([backOff.next(), backOff.next(), backOff.next(), backOff.next()]).toEqual([100, 200, 350, 350]);
  backOff.reset();
  expect(backOff.next()).toBe(100);
});

test("a list of known phones that is no list is as good as none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "farhand-"));
  const file = join(folder, "phones.json");
  for (const content of ["not json", "[]", '{"x":{"hardwareSerial":1}}', "null"]) {
    await writeFile(file, content);
    const memory = new IdentityMemory(file, silent);
    expect(memory.get("x")).toBeUndefined();
    memory.set("y", phone("A"));
    expect(new IdentityMemory(file, silent).get("y")).toEqual(phone("A"));
  }
  await rm(folder, { recursive: true });
});
