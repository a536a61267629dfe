import { beforeEach, describe, expect, test } from "vitest";
import { CodedError } from "../../../shared/errors.ts";
import { checkAddress } from "../../../shared/tools/address.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { type ToolCaller, toolCaller } from "../../support/tool-caller.ts";

let phone: FakeDevice;
let caller: ToolCaller;

beforeEach(() => {
  phone = new FakeDevice();
  caller = toolCaller(phone);
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (thrown: unknown) => (thrown instanceof CodedError ? thrown.code : thrown),
  );

test("addresses that only show something are taken as they are", () => {
  for (const url of [
    "http://example.org",
    "https://example.org/a?b=1&c=$(id)#d",
    "https://пример.example/путь",
    "geo:48.2,16.4?q=Café",
    "mailto:someone@example.org?subject=it's",
    "tel:+43-1-234",
    "market://details?id=com.example.app",
    "sms:123?body=two words",
    "smsto:123",
  ]) {
    expect(checkAddress(url)).toBe(url);
  }
});

test("a scheme in capitals is written as Android compares it", () => {
  expect(checkAddress("HTTPS://Example.org/A")).toBe("https://Example.org/A");
});

test("addresses that run, read or reach into apps are refused", () => {
  for (const url of [
    "intent://scan/#Intent;scheme=zxing;end",
    "intent:#Intent;action=x;end",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "file:///sdcard/a.txt",
    "content://settings/secure",
    "data:text/html,x",
    "android-app://com.example.app",
    "myapp://open",
    "ftp://example.org",
    "example.org",
    "-n com.example.app/.Main",
    ":x",
    "",
  ]) {
    expect(() => checkAddress(url), url).toThrow(CodedError);
  }
});

test("what cannot be seen in an address is refused", () => {
  for (const url of [
    "https://example.org/\n-n x",
    "https://example.org/\0",
    "https://example.org/\u202egro",
    "https://exam\u200bple.org/",
    " https://example.org",
    "https://example.org\u2028",
  ]) {
    expect(() => checkAddress(url), JSON.stringify(url)).toThrow(/cannot be seen/);
  }
});

test("web addresses need a host, and all need something after the colon", () => {
  for (const url of ["http:", "https://", "http:///a", "https:example.org", "geo:", "tel:"]) {
    expect(() => checkAddress(url), url).toThrow(CodedError);
  }
});

test("codes that a dialler may run are refused", () => {
  for (const url of ["tel:*%2306%23", "tel:*#06#", "tel:%2A21", "tel:123#"]) {
    expect(() => checkAddress(url), url).toThrow("A number with * or # is not opened.");
  }
});

test("an address may have 2,048 characters and no more", () => {
  const longest = `https://example.org/${"a".repeat(2028)}`;
  expect(checkAddress(longest)).toHaveLength(2048);
  expect(() => checkAddress(`${longest}a`)).toThrow("longer than 2048");
});

describe("open_url", () => {
  test("tells what came to the front", async () => {
    const { output } = await caller.call("open_url", { url: "https://example.org/" });
    expect(phone.writes).toEqual([{ action: "openUrl", url: "https://example.org/" }]);
    expect(output).toMatchObject({ ok: true, package: "com.example.browser", chooser: false });
  });

  test("says so when the phone asks which app to use", async () => {
    phone.openUrl = async () => ({ packageName: null, activity: null, overlay: "chooser" });
    expect((await caller.call("open_url", { url: "geo:1,2" })).output).toMatchObject({ ok: true, chooser: true });
  });

  test("sends nothing for an address that is refused", async () => {
    expect(await codeOf(caller.call("open_url", { url: "intent:#Intent;end" }))).toBe("invalid_argument");
    expect(phone.done).toEqual([]);
  });
});

describe("set_orientation", () => {
  test("tells how the screen stands afterwards", async () => {
    const { output } = await caller.call("set_orientation", { orientation: "landscape" });
    expect(output).toMatchObject({ ok: true, orientation: "landscape", rotation: 1, width: 2400, height: 1080 });
    expect(output).not.toHaveProperty("warning");
  });

  test("is no success when the app keeps its own orientation", async () => {
    phone.keepsOrientation = true;
    const { output } = await caller.call("set_orientation", { orientation: "landscape" });
    expect(output).toMatchObject({ ok: false, orientation: "portrait", warning: expect.stringContaining("keeps") });
    expect((await caller.call("set_orientation", { orientation: "auto" })).output).toMatchObject({ ok: true });
  });

  test("knows four orientations and auto", async () => {
    for (const orientation of ["sideways", "", "0"]) {
      expect(await codeOf(caller.call("set_orientation", { orientation }))).toBe("invalid_argument");
    }
    expect(phone.done).toEqual([]);
  });
});
