import { spawn } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startAdbServer } from "../../../device-agent/adb/server/start-server.ts";
import { freePort, hasAdb } from "./adb-server.ts";
import { Rig } from "./rig.ts";
import { never, until } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

describe.runIf(hasAdb || process.env.CI === "true")("with a real adb server", () => {
  test("its death empties the list, its return fills it with network phones too, and the handle works on", async () => {
    const { sim, address } = await rig.phone();
    const server = await rig.server();
    await server.adb("connect", address);
    const phones = await rig.phones({ server: { host: "127.0.0.1", port: server.port } });
    const device = phones.open(sim.serial);
    await device.status(never);
    await server.stop("SIGKILL");
    await until(() => phones.list().length === 0, 1000);
    await rig.server(server.port);
    const returnedAt = Date.now();
    await until(() => phones.list()[0]?.state === "device", 5000);
    expect(Date.now() - returnedAt).toBeLessThan(5000);
    expect(await device.status(never)).toMatchObject({ awake: true });
  });

  test("a network phone that somebody disconnected is not connected again", async () => {
    const { address } = await rig.phone();
    const server = await rig.server();
    await server.adb("connect", address);
    const phones = await rig.phones({ server: { host: "127.0.0.1", port: server.port } });
    await server.adb("disconnect", address);
    await until(() => phones.list().length === 0);
    await server.stop("SIGKILL");
    await rig.server(server.port);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(phones.list()).toEqual([]);
  });

  test("two phones stay two, whatever is asked of both at once", async () => {
    const one = await rig.phone({ model: "One" });
    const two = await rig.phone({ model: "Two" });
    const phones = await rig.phonesBy("adb server", one.address, two.address);
    const handles = [phones.open(one.sim.serial), phones.open(two.sim.serial)];
    const models = await Promise.all(
      Array.from({ length: 60 }, (_, at) => handles[at % 2]?.facts(never).then((facts) => facts.model)),
    );
    expect(models.filter((model, at) => model !== (at % 2 === 0 ? "One" : "Two"))).toEqual([]);
  });

  test("two phones with one hardware serial are two phones", async () => {
    const one = await rig.phone({ serial: "SAME", model: "One" });
    const two = await rig.phone({ serial: "SAME", model: "Two" });
    const server = await rig.server();
    for (const [at, { address }] of [one, two].entries()) {
      await server.adb("connect", address);
      await server.adb("-s", address, "shell", `settings put secure android_id ${`${at + 1}`.repeat(16)}`);
    }
    const phones = await rig.phones({ server: { host: "127.0.0.1", port: server.port } });
    const listed = phones.list();
    expect(listed.map((phone) => phone.key)).toEqual(["SAME", expect.stringMatching(/^SAME\..+$/)]);
    const models = await Promise.all(listed.map(async ({ key }) => (await phones.open(key).facts(never)).model));
    expect(models).toEqual(listed.map((phone) => phone.model));
    expect([...models].sort()).toEqual(["One", "Two"]);
  });

  test("one phone by two ways is one phone, and one way is enough", async () => {
    const { sim, address } = await rig.phone();
    const server = await rig.server();
    await server.adb("connect", address);
    const phones = await rig.phones({
      server: { host: "127.0.0.1", port: server.port },
      direct: [address],
      keyFile: join(await rig.folder(), "key.pem"),
    });
    expect(phones.list().map((phone) => phone.key)).toEqual([sim.serial]);
    const device = phones.open(sim.serial);
    await device.status(never);
    await server.stop("SIGKILL");
    expect(await device.status(never)).toMatchObject({ awake: true });
    expect(phones.list().map((phone) => [phone.key, phone.state])).toEqual([[sim.serial, "device"]]);
  });

  test("a phone that waits for its owner is shown as such, and is usable once accepted", async () => {
    const { sim, address } = await rig.phone({ authorization: "prompt" });
    const phones = await rig.phonesBy("adb server", address);
    await until(() => phones.list()[0] !== undefined, 3000);
    expect(phones.list()[0]).toMatchObject({
      serial: address,
      state: expect.stringMatching(/^(unauthorized|authorizing|offline)$/),
    });
    await until(() => sim.pendingKeys().length > 0);
    sim.allowPendingKeys();
    await until(() => phones.list()[0]?.state === "device");
    expect(phones.list()[0]?.key).toBe(sim.serial);
  });

  test("a server is started where none runs, and never stopped by us", async () => {
    const port = await freePort();
    await startAdbServer({ host: "127.0.0.1", port });
    const phones = await rig.phones({ server: { host: "127.0.0.1", port } });
    expect(phones.list()).toEqual([]);
    await phones.stop();
    const again = await rig.phones({ server: { host: "127.0.0.1", port } });
    expect(again.list()).toEqual([]);
    await endServer(port);
  });

  test("a server on a Unix socket is reached by its path", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fh-"));
    const path = join(folder, "adb");
    const child = spawn("adb", ["-L", `localfilesystem:${path}`, "nodaemon", "server"], { stdio: "ignore" });
    try {
      await until(() => child.exitCode !== null || child.pid !== undefined);
      await waitForFile(path);
      const phones = await rig.phones({ server: { path } });
      expect(phones.list()).toEqual([]);
    } finally {
      child.kill();
      await rm(folder, { recursive: true });
    }
  });
});

test("without the program adb, starting a server fails and nothing else does", async () => {
  await expect(startAdbServer({ host: "127.0.0.1", port: 1 }, "no-such-program")).rejects.toThrow(/ENOENT/);
  await expect(startAdbServer({ host: "10.1.1.1", port: 1 })).rejects.toThrow(/another machine/);
});

async function waitForFile(path: string): Promise<void> {
  for (let look = 0; look < 100; look++) {
    if (
      await stat(path).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Only for a server that the test itself has started. */
async function endServer(port: number): Promise<void> {
  const child = spawn("adb", ["-P", `${port}`, "kill-server"], { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
}
