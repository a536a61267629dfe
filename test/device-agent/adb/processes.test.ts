import { afterEach, describe, expect, test } from "vitest";
import { createProcesses } from "../../../device-agent/adb/processes/processes.ts";
import type { Device } from "../../../shared/device.ts";
import { Rig } from "./rig.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, hurried, never, until } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const read = async (device: Device, id: string, offset = 0) => {
  const { bytes, ...state } = await device.shell.read(id, offset, never);
  return { text: Buffer.from(bytes).toString(), ...state };
};

async function untilEnded(device: Device, id: string) {
  for (;;) {
    const state = await read(device, id);
    if (!state.running) return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("a started process", () => {
  test("is read while it runs, from any offset, and tells how it ended", async () => {
    const { device } = await rig.device("direct");
    const id = await device.shell.start("echo 'one'; sleep 0.3; echo two >&2; exit 3", never);
    expect(id).toMatch(/^p[0-9a-z]{8,24}$/);
    await expect.poll(async () => (await read(device, id)).text).toBe("one\n");
    expect(await read(device, id)).toMatchObject({ running: true, exitCode: null, total: 4 });
    expect(await untilEnded(device, id)).toEqual({ text: "one\ntwo\n", total: 8, running: false, exitCode: 3 });
    expect((await read(device, id, 4)).text).toBe("two\n");
    expect((await read(device, id, 99)).text).toBe("");
  });

  test("runs on Android 6 too", async () => {
    const { device } = await rig.device("direct", { quirks: { oldAndroid: true } });
    const id = await device.shell.start("echo one; sleep 300", never);
    await expect.poll(async () => (await read(device, id)).text).toBe("one\n");
    expect(await device.shell.stop(id, never)).toBe(true);
    expect((await read(device, id)).running).toBe(false);
  });

  test("outlives the connection and the device agent", async () => {
    const { sim, address } = await rig.phone();
    const first = await rig.phonesBy("direct", address);
    const id = await first.open(sim.serial).shell.start("echo here; sleep 300", never);
    await first.stop();
    const second = await rig.phonesBy("direct", address);
    const device = second.open(sim.serial);
    expect(await read(device, id)).toMatchObject({ text: "here\n", running: true });
    expect(await device.shell.stop(id, never)).toBe(true);
    expect(sim.processes().filter(({ name }) => name === "sleep")).toEqual([]);
    expect(await read(device, id)).toEqual({ text: "here\n", total: 5, running: false, exitCode: null });
    expect(await device.shell.stop(id, never)).toBe(false);
  });

  test("of which more than 8 MiB came keeps the first of them and runs on to its end", async () => {
    const { sim, device } = await rig.device("direct");
    sim.files.write("/sdcard/big", Buffer.alloc(5 * 1024 * 1024, "x"));
    const id = await device.shell.start("cd /sdcard; cat big && cat big && cat big && exit 4", never);
    expect(await untilEnded(device, id)).toMatchObject({ total: 8_388_608, exitCode: 4 });
    expect((await read(device, id, 8_388_600)).text).toBe("xxxxxxxx");
  });

  test("is stopped with everything that it started", async () => {
    const { sim, device } = await rig.device("direct");
    const id = await device.shell.start("sleep 300 & sleep 301 | sleep 302", never);
    await until(() => sim.processes().filter(({ name }) => name === "sleep").length === 3);
    expect(await device.shell.stop(id, never)).toBe(true);
    expect(sim.processes().filter(({ name }) => name === "sleep")).toEqual([]);
    const kills = sim.ranPrograms().filter(([name]) => name === "kill");
    expect(kills[0]?.slice(0, 3)).toEqual(["kill", "-TERM", "--"]);
    expect(kills.some(([, signal]) => signal === "-KILL")).toBe(false);
  });

  test("that does not heed TERM is killed after 3 s", async () => {
    const stat = `77 (sh) S 1 70 70 ${"0 ".repeat(15)}4711 0`;
    const block = `p00000000\nboot\n${stat}\nnow ${stat}\nexit \nbytes 0\n`;
    const runner = scriptedRunner((command) => {
      const mark = /echo "(state\w+) /.exec(command)?.[1];
      return mark === undefined ? "" : `boot\n${mark} ${block}`;
    });
    const shell = createProcesses({ runner, clock: hurried(20), random: Math.random });
    expect(await shell.stop("p00000000", never)).toBe(true);
    expect(runner.asked[1]).toBe("kill -TERM -- -70");
    expect(runner.asked.at(-1)).toBe("kill -KILL -- -70");
  });

  test("of an earlier start of the phone is not running, even if one with its number and time is", async () => {
    const { sim, device } = await rig.device("direct");
    const id = await device.shell.start("sleep 300", never);
    expect((await read(device, id)).running).toBe(true);
    sim.files.write(`/data/local/tmp/farhand-processes/${id}/boot`, Buffer.from("another\n"));
    expect((await read(device, id)).running).toBe(false);
  });

  test("has ended after a restart of the phone, and what has its number now is left alone", async () => {
    const { sim, device } = await rig.device("direct");
    const id = await device.shell.start("sleep 300", never);
    const told = () => String(sim.files.read(`/data/local/tmp/farhand-processes/${id}/stat`));
    await until(() => told() !== "");
    // The number of a process of somebody else, begun at another time.
    const other = sim.processes().find(({ name }) => name === "system_server");
    const forged = told().replace(/^\d+/, String(other?.pid));
    sim.files.write(`/data/local/tmp/farhand-processes/${id}/stat`, Buffer.from(forged));
    sim.files.write(`/data/local/tmp/farhand-processes/${id}/pid`, Buffer.from(`${other?.pid}\n`));
    expect(await read(device, id)).toMatchObject({ running: false });
    expect(await device.shell.stop(id, never)).toBe(false);
    await sim.reboot();
    const running = async () => (await read(device, id).catch(() => undefined))?.running;
    await expect.poll(running, { timeout: 20_000 }).toBe(false);
  });
});

test("the ninth process at a time is refused, with the ids of the others", async () => {
  const { device } = await rig.device("direct");
  const ids: string[] = [];
  for (let number = 0; number < 8; number++) ids.push(await device.shell.start("sleep 300", never));
  const refused = await device.shell.start("sleep 300", never).catch((error) => error);
  expect(refused.code).toBe("device_busy");
  expect(refused.message).toContain(ids[7]);
  await device.shell.stop(ids[0] ?? "", never);
  expect(await codeOf(device.shell.start("true", never))).toBe("no error");
});

test("of finished processes the eight newest are remembered", async () => {
  const { sim, device } = await rig.device("direct");
  const ids: string[] = [];
  for (let number = 0; number < 11; number++) {
    const id = await device.shell.start(`echo ${number}`, never);
    await untilEnded(device, id);
    ids.push(id);
  }
  const isKept = (id = "") => sim.files.exists(`/data/local/tmp/farhand-processes/${id}/out`);
  expect(ids.filter(isKept).length).toBe(9);
  expect(isKept(ids[10])).toBe(true);
  const forgotten = ids.find((id) => !isKept(id)) ?? "";
  expect(await codeOf(device.shell.read(forgotten, 0, never))).toBe("target_not_found");
});
