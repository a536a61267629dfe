import { afterEach, expect, test } from "vitest";
import type { OutputEnds } from "../../../shared/device-control.ts";
import { Rig, type RouteKind } from "./rig.ts";
import { codeOf, never, until } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const textOf = ({ head, tail }: OutputEnds) => Buffer.concat([head, tail]).toString();
const routes: RouteKind[] = process.env.FARHAND_TEST_WITHOUT_ADB ? ["direct"] : ["direct", "adb server"];

test.each(routes)("a command by the %s tells its outputs apart and its exit code", async (route) => {
  const { device } = await rig.device(route);
  const finished = await device.shell.run('echo it\\\'s "$((1+1))"; echo bad >&2; exit 7', 5_000, never);
  expect(textOf(finished.stdout)).toBe("it's 2\n");
  expect(textOf(finished.stderr)).toBe("bad\n");
  expect(finished.exitCode).toBe(7);
});

test("Android 6 mixes the outputs and still tells the exit code", async () => {
  const { device } = await rig.device("direct", { quirks: { oldAndroid: true } });
  const finished = await device.shell.run("echo out; echo bad >&2; exit 7", 5_000, never);
  expect(textOf(finished.stdout)).toBe("out\nbad\n");
  expect(finished.exitCode).toBe(7);
});

test.each([false, true])(
  "at its time limit a command and all that it started are gone (Android 6: %s)",
  async (oldAndroid) => {
    const { sim, device } = await rig.device("direct", { quirks: { oldAndroid } });
    const finished = await device.shell.run("echo begun; sleep 300 | sleep 301 & sleep 302", 500, never);
    expect(textOf(finished.stdout)).toBe("begun\n");
    expect(finished.exitCode).toBeNull();
    expect(sim.processes().filter(({ name }) => name === "sleep")).toEqual([]);
  },
);

test("a command whose call is given up is killed too", async () => {
  const { sim, device } = await rig.device("direct");
  const call = new AbortController();
  const asked = codeOf(device.shell.run("sleep 300 | sleep 301", 20_000, call.signal));
  await until(() => sim.processes().filter(({ name }) => name === "sleep").length === 2);
  call.abort();
  expect(await asked).toBe("canceled");
  expect(sim.processes().filter(({ name }) => name === "sleep")).toEqual([]);
});

test("a command dies with the connection to the phone", async () => {
  const { sim, device } = await rig.device("direct");
  const asked = codeOf(device.shell.run("sleep 300", 20_000, never));
  await until(() => sim.processes().some(({ name }) => name === "sleep"));
  sim.unplug();
  expect(await asked).toBe("outcome_unknown");
  await until(() => !sim.processes().some(({ name }) => name === "sleep"));
});

test("of a long output the first and the last bytes are kept", async () => {
  const { sim, device } = await rig.device("direct");
  const numbers = Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join("");
  sim.files.write("/sdcard/numbers", Buffer.from(numbers));
  const { stdout, exitCode } = await device.shell.run("cat /sdcard/numbers", 20_000, never);
  expect(exitCode).toBe(0);
  expect(stdout.total).toBe(228_894);
  expect([stdout.head.length, stdout.tail.length]).toEqual([32_768, 32_768]);
  expect(Buffer.from(stdout.head).toString()).toMatch(/^1\n2\n3\n/);
  expect(Buffer.from(stdout.tail).toString()).toMatch(/\n39999\n40000\n$/);
});
