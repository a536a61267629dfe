import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { freePort } from "./adb-server.ts";
import { Rig } from "./rig.ts";
import { codeOf, hurried, never, until } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const keyFile = async () => join(await rig.folder(), "keys", "adb.pem");

test("a phone asks its owner once, and knows us afterwards", async () => {
  const { sim, address } = await rig.phone({ authorization: "prompt" });
  const key = await keyFile();
  const phones = await rig.phones({ direct: [address], keyFile: key });
  expect(phones.list()).toEqual([
    {
      key: address,
      serial: address,
      name: address,
      model: "",
      androidRelease: "",
      state: "unauthorized",
      hint: "Unlock the phone and accept the USB debugging prompt.",
    },
  ]);
  expect(() => phones.open(address)).toThrow(expect.objectContaining({ code: "device_unauthorized" }));
  await until(() => sim.pendingKeys().length > 0);
  sim.allowPendingKeys();
  await until(() => phones.list()[0]?.state === "device");
  expect(phones.list()[0]?.key).toBe(sim.serial);
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  await phones.stop();

  const again = await rig.phones({ direct: [address], keyFile: key });
  expect(again.list()[0]).toMatchObject({ key: sim.serial, state: "device" });
  expect(sim.pendingKeys()).toEqual([]);
});

test("a phone that is away keeps its key after a restart", async () => {
  const { sim, address } = await rig.phone();
  const folder = await rig.folder();
  const options = { direct: [address], keyFile: join(folder, "key.pem"), memoryFile: join(folder, "phones.json") };
  const phones = await rig.phones(options);
  expect(phones.list()[0]?.key).toBe(sim.serial);
  await phones.stop();
  await sim.close();
  const again = await rig.phones(options);
  expect(again.list()[0]).toMatchObject({ key: sim.serial, state: "offline", name: "Farhand Sim" });
  expect((await stat(join(folder, "phones.json"))).mode & 0o777).toBe(0o600);
});

test("a phone that is not there yet is waited for", async () => {
  const port = await freePort();
  const phones = await rig.phones({ direct: [`127.0.0.1:${port}`], keyFile: await keyFile() });
  expect(phones.list()[0]).toMatchObject({ state: "offline", hint: expect.stringContaining("Nothing answers") });
  const { sim } = await rig.phone();
  await sim.close();
  await sim.listen({ port });
  await until(() => phones.list()[0]?.state === "device", 8000);
  await phones.open(sim.serial).status(never);
});

test("a connection that is cut in the middle of a command is found out and made anew", async () => {
  const { sim, device } = await rig.device("direct");
  const running = codeOf(device.capture({ maxWidth: 100, quality: 50, maxBytes: 100_000 }, never));
  await new Promise((resolve) => setTimeout(resolve, 5));
  sim.unplug();
  expect(["device_offline", "no error"]).toContain(await running);
  expect(await device.status(never)).toMatchObject({ awake: true });
});

test("a command that was never begun ends with its connection", async () => {
  const { sim, device } = await rig.device("direct");
  await device.status(never);
  sim.freeze();
  const running = codeOf(device.tap({ x: 1, y: 1 }, never));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const cutAt = Date.now();
  sim.unplug();
  expect(await running).toBe("outcome_unknown");
  expect(Date.now() - cutAt).toBeLessThan(2000);
});

test("a frozen phone is noticed, and dialled again when it is back", async () => {
  const { sim, address } = await rig.phone();
  const phones = await rig.phones({ direct: [address], keyFile: await keyFile(), clock: hurried(10) });
  const device = phones.open(sim.serial);
  await device.status(never);
  sim.freeze();
  expect(await codeOf(device.status(AbortSignal.timeout(600)))).toBe("deadline_exceeded");
  await until(() => phones.list()[0]?.state !== "device", 2000);
  sim.thaw();
  await until(() => phones.list()[0]?.state === "device", 5000);
  expect(await device.status(never)).toMatchObject({ awake: true });
});

test("an address that is none is refused at once", async () => {
  await expect(rig.phones({ direct: ["a b"], keyFile: await keyFile() })).rejects.toThrow(/host:port/);
  await expect(rig.phones({ direct: ["a:99999"], keyFile: await keyFile() })).rejects.toThrow(/host:port/);
});
