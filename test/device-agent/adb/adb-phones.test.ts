import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type AdbPhonesOptions, createAdbPhones } from "../../../device-agent/adb/adb-phones.ts";
import type { Phones } from "../../../device-agent/phones.ts";
import { FakeAdbServer, identity, type Serve, sections, shell } from "./fake-adb-server.ts";
import { clock, codeOf, hurried, never, noEncoder, silent, until } from "./test-parts.ts";

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.stop();
});

async function serverWith(rows: string, serve?: Serve): Promise<FakeAdbServer> {
  const server = new FakeAdbServer(serve ?? identity("HW1", "0123456789abcdef"));
  server.show(rows);
  await server.listen();
  open.push({ stop: () => server.kill() });
  return server;
}

async function phonesOf(port: number, more: Partial<AdbPhonesOptions> = {}): Promise<Phones> {
  const phones = createAdbPhones({
    clock,
    random: Math.random,
    logger: silent,
    encoder: noEncoder,
    server: { host: "127.0.0.1", port },
    ...more,
  });
  open.push(phones);
  await phones.start();
  return phones;
}

const states = (phones: Phones) => phones.list().map(({ key, state }) => `${key} ${state}`);

test("a phone is listed under its hardware serial with its name and Android", async () => {
  const server = await serverWith("192.168.1.5:5555 device product:p model:M_1 device:d transport_id:1\n");
  const phones = await phonesOf(server.port);
  expect(phones.list()).toEqual([
    { key: "HW1", serial: "192.168.1.5:5555", name: "M HW1", model: "M HW1", androidRelease: "14", state: "device" },
  ]);
});

test("phones that cannot be used are shown with their state and what to do", async () => {
  const server = await serverWith(
    "A unauthorized transport_id:1\nB no permissions usb:1-1 transport_id:2\nC D offline transport_id:3\n",
  );
  const phones = await phonesOf(server.port);
  expect(phones.list().map(({ key, state, hint }) => [key, state, typeof hint])).toEqual([
    ["A", "unauthorized", "string"],
    ["B", "no permissions", "string"],
    ["C D", "offline", "string"],
  ]);
  expect(() => phones.open("A")).toThrow(expect.objectContaining({ code: "device_unauthorized" }));
  expect(() => phones.open("nobody")).toThrow(expect.objectContaining({ code: "device_not_found" }));
  expect(await codeOf(phones.open("C D").status(never))).toBe("device_offline");
});

test("no adb server is no error, and its phones come when it comes", async () => {
  const port = await freePort();
  const phones = await phonesOf(port);
  expect(phones.list()).toEqual([]);
  const server = new FakeAdbServer(identity("HW1", "0123456789abcdef"));
  server.show("X device transport_id:1\n");
  await server.listen(port);
  open.push({ stop: () => server.kill() });
  await until(() => states(phones).join() === "HW1 device");
});

test("when the server dies the list is empty at once, and full again soon after its return", async () => {
  const first = new FakeAdbServer(identity("HW1", "0123456789abcdef"));
  first.show("X device transport_id:1\n");
  await first.listen();
  const { port } = first;
  const phones = await phonesOf(port);
  const told: string[][] = [];
  phones.subscribe(() => told.push(states(phones)));
  await first.kill();
  await until(() => phones.list().length === 0, 500);
  const second = new FakeAdbServer(identity("HW2", "fedcba9876543210"));
  second.show("Y device transport_id:1\n");
  await second.listen(port);
  open.push({ stop: () => second.kill() });
  await until(() => states(phones).join() === "HW2 device", 5000);
  expect(told).toEqual([[], ["HW2 device"]]);
});

test("a handle of a phone never reaches the phone that got its transport number", async () => {
  const asked: string[] = [];
  const phone = (serial: string, id: string): Serve => {
    const answer = identity(serial, id);
    return (service, socket) => {
      if (service.includes("input tap")) asked.push(serial);
      answer(service, socket);
    };
  };
  const first = new FakeAdbServer(phone("HW1", "0123456789abcdef"));
  first.show("X device transport_id:1\n");
  await first.listen();
  const { port } = first;
  const phones = await phonesOf(port, { clock: hurried(5) });
  const handle = phones.open("HW1");
  await handle.tap({ x: 1, y: 1 }, never);
  await first.kill();
  const second = new FakeAdbServer(phone("HW2", "fedcba9876543210"));
  second.show("X device transport_id:1\n");
  await second.listen(port);
  open.push({ stop: () => second.kill() });
  await until(() => states(phones).includes("HW2 device"));
  expect(await codeOf(handle.tap({ x: 1, y: 1 }, never))).toBe("device_offline");
  expect(asked).toEqual(["HW1"]);
}, 20_000);

test("a command waits through a short flap", async () => {
  const server = await serverWith("X device transport_id:1\n");
  const phones = await phonesOf(server.port);
  const handle = phones.open("HW1");
  server.show("X offline transport_id:1\n");
  await until(() => states(phones).join() === "HW1 offline");
  const tapping = codeOf(handle.tap({ x: 1, y: 2 }, never));
  server.show("X authorizing transport_id:1\n");
  await until(() => states(phones).join() === "HW1 authorizing");
  server.show("X device transport_id:1\n");
  expect(await tapping).toBe("no error");
  expect(phones.open("HW1")).toBe(handle);
});

test("a phone that stays away is offline", async () => {
  const server = await serverWith("X device transport_id:1\n");
  const phones = await phonesOf(server.port, { clock: hurried(20) });
  server.show("");
  await until(() => phones.list().length === 0);
  expect(await codeOf(phones.open("HW1").tap({ x: 1, y: 2 }, never))).toBe("device_offline");
  expect(() => phones.open("HW1")).toThrow(expect.objectContaining({ code: "device_offline" }));
});

test("a phone that flaps while it is being asked who it is, is asked again", async () => {
  let asked = 0;
  const answer = identity("HW1", "0123456789abcdef");
  const serve: Serve = (service, socket) => {
    asked += 1;
    if (asked > 1) answer(service, socket);
  };
  const server = await serverWith("X device transport_id:1\n", serve);
  const starting = phonesOf(server.port);
  await until(() => asked === 1);
  server.show("X offline transport_id:1\n");
  server.show("X device transport_id:1\n");
  const phones = await starting;
  await until(() => states(phones).join() === "HW1 device", 3000);
});

test("a command waits for a phone that was unplugged for a moment", async () => {
  const server = await serverWith("X device transport_id:1\n");
  const phones = await phonesOf(server.port);
  server.show("");
  await until(() => phones.list().length === 0);
  const tapping = codeOf(phones.open("HW1").tap({ x: 1, y: 2 }, never));
  server.show("X device transport_id:2\n");
  expect(await tapping).toBe("no error");
});

test("one phone by cable and by Wi-Fi is one phone, and the second way takes over", async () => {
  const server = await serverWith("CABLE device usb:1-1 transport_id:1\n10.0.0.7:5555 device transport_id:2\n");
  const phones = await phonesOf(server.port);
  expect(phones.list().map(({ key, serial }) => [key, serial])).toEqual([["HW1", "CABLE"]]);
  const handle = phones.open("HW1");
  await handle.tap({ x: 1, y: 1 }, never);
  server.show("10.0.0.7:5555 device transport_id:2\n");
  await until(() => phones.list()[0]?.serial === "10.0.0.7:5555");
  expect(await codeOf(handle.tap({ x: 1, y: 1 }, never))).toBe("no error");
});

test("two phones with one serial are two phones", async () => {
  let next = 0;
  const serve: Serve = (service, socket) => {
    if (service.includes("settings get")) next += 1;
    identity("SAME", next === 1 ? "1111111111111111" : "2222222222222222")(service, socket);
  };
  const server = await serverWith("SAME device usb:1-1 transport_id:1\nSAME device usb:1-2 transport_id:2\n", serve);
  const phones = await phonesOf(server.port);
  expect(phones.list().map((phone) => phone.key)).toEqual(["SAME", expect.stringMatching(/^SAME\.[12]{16}$/)]);
});

test("a serial that names no phone is made one by the Android id", async () => {
  const server = await serverWith(
    "0123456789ABCDEF device transport_id:1\n",
    identity("0123456789ABCDEF", "aaaabbbbccccdddd"),
  );
  const phones = await phonesOf(server.port);
  expect(phones.list()[0]?.key).toBe("0123456789ABCDEF.aaaabbbbccccdddd");
});

test("a phone that does not answer is shown and hides no other", async () => {
  const serve = shell(sections(() => undefined));
  const server = await serverWith("MUTE device transport_id:1\nB unauthorized transport_id:2\n", serve);
  const phones = await phonesOf(server.port, { clock: hurried(10) });
  expect(states(phones)).toEqual(["B unauthorized", "MUTE device"]);
  expect(phones.list()[1]?.hint).toMatch(/does not answer/);
}, 20_000);

test("two strangers with one serial are both shown", async () => {
  const server = await serverWith("S unauthorized usb:1-1 transport_id:1\nS unauthorized usb:1-2 transport_id:2\n");
  const phones = await phonesOf(server.port);
  expect(states(phones)).toEqual(["S unauthorized", "S#1-2 unauthorized"]);
});

test("an adb server that takes connections and says nothing is waited for, not for ever", async () => {
  const mute = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => mute.once("listening", resolve));
  open.push({ stop: async () => void mute.close() });
  const address = mute.address();
  const phones = await phonesOf(typeof address === "object" && address ? address.port : 0, { clock: hurried(20) });
  expect(phones.list()).toEqual([]);
});

test("serials that are not allowed are left out", async () => {
  const server = await serverWith("A unauthorized transport_id:1\nB unauthorized transport_id:2\n");
  const phones = await phonesOf(server.port, { isAllowed: (serial) => serial !== "A" });
  expect(states(phones)).toEqual(["B unauthorized"]);
});

test("whoever listens hears each change once, and nothing after leaving", async () => {
  const server = await serverWith("A unauthorized transport_id:1\n");
  const phones = await phonesOf(server.port);
  let heard = 0;
  const leave = phones.subscribe(() => {
    heard += 1;
  });
  server.show("A unauthorized transport_id:1\n");
  server.show("A offline transport_id:1\n");
  await until(() => states(phones).join() === "A offline");
  expect(heard).toBe(1);
  leave();
  server.show("");
  await until(() => phones.list().length === 0);
  expect(heard).toBe(1);
});

test("the app in front is told with the phone as soon as somebody has looked, and not while the phone is away", async () => {
  let app = "com.a/.Main";
  const said = identity("HW1", "0123456789abcdef");
  const server = await serverWith("A device transport_id:1\n", (service, socket) => {
    if (!service.includes("dumpsys")) return said(service, socket);
    const front = `  mResumedActivity: ActivityRecord{1a2b u0 ${app} t1}\n`;
    shell(sections((command) => (command === "dumpsys activity activities" ? front : "")))(service, socket);
  });
  const phones = await phonesOf(server.port);
  const inFront = () => phones.list().map(({ foregroundApp }) => foregroundApp);
  let heard = 0;
  phones.subscribe(() => {
    heard += 1;
  });
  expect(inFront()).toEqual([undefined]);
  await phones.open("HW1").foreground(never);
  await phones.open("HW1").foreground(never);
  expect([inFront(), heard]).toEqual([["com.a"], 1]);
  app = "com.b/.Main";
  await phones.open("HW1").foreground(never);
  expect([inFront(), heard]).toEqual([["com.b"], 2]);
  server.show("A offline transport_id:1\n");
  await until(() => states(phones).join() === "HW1 offline");
  expect(inFront()).toEqual([undefined]);
});

async function freePort(): Promise<number> {
  const server = new FakeAdbServer();
  await server.listen();
  const { port } = server;
  await server.kill();
  return port;
}
