import { expect, test } from "vitest";
import { deviceAgentOptions } from "../../device-agent/config.ts";
import { OptionError, readOptions } from "../../shared/options.ts";

const gateway = "http://127.0.0.1:8765";
const read = (flags: Record<string, string | boolean>, file: Record<string, unknown> = {}, env = {}) =>
  readOptions(deviceAgentOptions, { flags: { gateway, ...flags }, env, file });

test("lists come as text with commas", () => {
  const config = read({ allow: "write, danger", direct: "127.0.0.1:5555,phone.lan:5555" });
  expect(config.allow).toEqual(["screen:write", "device:danger"]);
  expect(config.direct).toEqual(["127.0.0.1:5555", "phone.lan:5555"]);
});

test("grants for single phones take serials with colons, spaces and equals signs", () => {
  expect(read({ allowFor: "127.0.0.1:5555=write,danger; odd=serial no 1=read" }).allowFor).toEqual({
    "127.0.0.1:5555": ["screen:write", "device:danger"],
    "odd=serial no 1": ["screen:read"],
  });
});

test("the configuration file may use JSON lists and objects", () => {
  const config = read({}, { allow: ["write"], allowFor: { SIM1: ["danger"] }, direct: ["h:1"], json: true });
  expect(config).toMatchObject({
    allow: ["screen:write"],
    allowFor: { SIM1: ["device:danger"] },
    direct: ["h:1"],
    json: true,
  });
});

test("later sources win: default, file, environment, option", () => {
  expect(read({}).adbPort).toBe(5037);
  expect(read({}, { adbPort: 1 }).adbPort).toBe(1);
  expect(read({}, { adbPort: 1 }, { FARHAND_ADB_PORT: "2" }).adbPort).toBe(2);
  expect(read({ adbPort: "3" }, { adbPort: 1 }, { FARHAND_ADB_PORT: "2" }).adbPort).toBe(3);
});

test("a helper keyboard is off, and named as Android names it", () => {
  expect(read({}).helperKeyboard).toBeUndefined();
  const short = "com.android.adbkeyboard/.AdbIME";
  expect(read({ helperKeyboard: short }).helperKeyboard).toBe(short);
  expect(read({ helperKeyboard: "com.android.adbkeyboard/com.android.adbkeyboard.AdbIME" }).helperKeyboard).toBe(short);
  expect(read({ helperKeyboard: "com.a_b.c/org.other.Ime$Inner" }).helperKeyboard).toBe(
    "com.a_b.c/org.other.Ime$Inner",
  );
  for (const wrong of ["AdbIME", "com.a.b", "com.a.b/", "/.Ime", "com.a.b/.Ime; reboot", "com.a.b/.Ime\n", "-a/.Ime"]) {
    expect(() => read({ helperKeyboard: wrong }), wrong).toThrow(OptionError);
  }
});

test("the word false in the environment is false", () => {
  expect(read({}, {}, { FARHAND_ALLOW_INSECURE_HTTP: "false" }).allowInsecureHttp).toBe(false);
});

test("every wrong setting is named at once", () => {
  const wrong = { allow: "everything", adbPort: "no", allowFor: "SIM1", token: "short", direct: "nowhere" };
  let problems: string[] = [];
  try {
    read(wrong);
  } catch (thrown) {
    problems = thrown instanceof OptionError ? thrown.problems : [];
  }
  expect(problems).toEqual([
    "--token: must be at least 32 printable characters without spaces",
    "--adb-port: must be a number",
    "--direct: must be a list of HOST:PORT",
    "--allow: must be a list of read, write, danger",
    "--allow-for: must look like SERIAL=write,danger",
  ]);
});

test("without a gateway it says what is needed", () => {
  expect(() => readOptions(deviceAgentOptions, { flags: {}, env: {}, file: {} })).toThrow(
    "--gateway: is needed: the gateway's address, like https://gateway.example",
  );
});
