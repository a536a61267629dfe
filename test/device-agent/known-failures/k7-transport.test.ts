import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { socketStreams } from "../../../device-agent/adb/server/connector.ts";
import { hasAdb } from "../adb/adb-server.ts";
import { FakeAdbServer, identity } from "../adb/fake-adb-server.ts";
import { Rig } from "../adb/rig.ts";
import { codeOf, never, until } from "../adb/test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const withAdb = hasAdb || process.env.CI === "true" ? test : test.skip;

withAdb("a phone that hangs holds up no other", async () => {
  const [hanging, other] = [await rig.phone(), await rig.phone()];
  const phones = await rig.phonesBy("adb server", hanging.address, other.address);
  const [one, two] = [phones.open(hanging.sim.serial), phones.open(other.sim.serial)];
  await Promise.all([one.status(never), two.status(never)]);
  hanging.sim.freeze();
  const stuck = Array.from({ length: 8 }, () => codeOf(one.status(AbortSignal.timeout(3000))));
  const times: number[] = [];
  for (let call = 0; call < 30; call++) {
    const begun = performance.now();
    await two.status(never);
    times.push(performance.now() - begun);
  }
  expect(times.sort((a, b) => a - b)[28]).toBeLessThan(500);
  expect(new Set(await Promise.all(stuck))).toEqual(new Set(["deadline_exceeded"]));
  hanging.sim.thaw();
  expect(await one.status(never)).toMatchObject({ awake: true });
});

withAdb("a phone that restarts is away, and comes back as the same phone", async () => {
  const { device, sim } = await rig.device("adb server");
  await device.startApp("app.farhand.notes", never);
  await sim.reboot();
  await expect.poll(() => codeOf(device.status(never)), { timeout: 15_000 }).toBe("no error");
  expect((await device.foreground(never)).packageName).toBe(sim.screen.foregroundPackage);
});

test("writing to a connection that is lost is told by reading, and nowhere else", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = createConnection(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  await once(socket, "connect");
  const { readable, writable } = socketStreams(socket);
  const writer = writable.getWriter();
  socket.destroy();
  await writer.write(Uint8Array.of(1));
  await expect(readable.getReader().read()).rejects.toThrow("connection lost");
  server.close();
});

test("an adb server that is not ours is neither stopped nor started anew", async () => {
  const asked: string[] = [];
  const answer = identity("SIM1", "aaaabbbbccccdddd");
  const server = new FakeAdbServer((service, socket) => {
    asked.push(service);
    answer(service, socket);
  });
  await server.listen();
  server.show("* daemon started successfully *\nSIM1\tdevice transport_id:1\n");
  const phones = await rig.phones({ server: { host: "127.0.0.1", port: server.port } });
  await until(() => phones.list().some(({ state }) => state === "device"));
  expect(phones.list()).toHaveLength(1);
  await phones.stop();
  expect(asked.some((service) => /^host:(kill|version)/.test(service))).toBe(false);
  await server.kill();
});

test("a frozen phone is late, the call after its return works", async () => {
  const { device, sim } = await rig.device("direct");
  await device.status(never);
  sim.freeze();
  expect(await codeOf(device.readTree(AbortSignal.timeout(700)))).toBe("deadline_exceeded");
  sim.thaw();
  expect((await device.readTree(never)).nodes.length).toBeGreaterThan(5);
});
