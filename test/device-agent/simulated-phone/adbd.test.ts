import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  checksumOf,
  createPacketReader,
  encodeHeader,
  type Packet,
  PacketType,
} from "../../../device-agent/simulated-phone/adbd/packet.ts";
import { createMemoryKeys, openDirectAdb } from "./support/direct-adb.ts";
import { startPhone } from "./support/running-phone.ts";

const HOST_BANNER = Buffer.from("host::features=shell_v2,cmd,stat_v2\0");

interface RawHost {
  readonly socket: Socket;
  send(type: number, arg0: number, arg1: number, payload?: Buffer, options?: { checksum?: boolean }): void;
  next(): Promise<Packet>;
}

async function rawHost(port: number): Promise<RawHost> {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  const reader = createPacketReader(1024 * 1024);
  const packets: Packet[] = [];
  const waiting: ((packet: Packet) => void)[] = [];
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    for (const packet of reader.push(chunk)) {
      const wake = waiting.shift();
      if (wake) wake(packet);
      else packets.push(packet);
    }
  });
  return {
    socket,
    send(type, arg0, arg1, payload = Buffer.alloc(0), { checksum = true } = {}) {
      socket.write(Buffer.concat([encodeHeader(type, arg0, arg1, payload, checksum), payload]));
    },
    next: () => {
      const packet = packets.shift();
      return packet ? Promise.resolve(packet) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

describe("the transport", () => {
  test("packets survive any way of being cut on the wire", () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(payloads, fc.infiniteStream(fc.integer({ min: 1, max: 97 })), (bodies, cuts) => {
        const wire = Buffer.concat(
          bodies.flatMap((body, index) => [
            encodeHeader(PacketType.WRTE, index, 7, Buffer.from(body), true),
            Buffer.from(body),
          ]),
        );
        const reader = createPacketReader(1024);
        const found: Packet[] = [];
        for (let at = 0; at < wire.length; ) {
          const size = cuts.next().value ?? 1;
          found.push(...reader.push(wire.subarray(at, at + size)));
          at += size;
        }
        expect(found.map(({ payload }) => [...payload])).toEqual(bodies.map((body) => [...body]));
      }),
    );
  });

  test("the banner names the product and only features that work", async () => {
    const { port } = await startPhone();
    const host = await rawHost(port);
    host.send(PacketType.CNXN, 0x01000001, 1024 * 1024, HOST_BANNER);
    const answer = await host.next();
    expect(answer.type).toBe(PacketType.CNXN);
    const banner = answer.payload.toString();
    expect(banner).toMatch(
      /^device::ro\.product\.name=farhand_sim;ro\.product\.model=Farhand_Sim;ro\.product\.device=farhand_sim;features=shell_v2,/,
    );
    expect(banner).not.toMatch(/abb|track_app|brotli|delayed_ack/);
  });

  test("an unknown service is closed, and the connection lives on", async () => {
    const { port } = await startPhone();
    const host = await rawHost(port);
    host.send(PacketType.CNXN, 0x01000001, 1024 * 1024, HOST_BANNER);
    await host.next();
    host.send(PacketType.OPEN, 5, 0, Buffer.from("abb_exec:package\0"));
    expect(await host.next()).toMatchObject({ type: PacketType.CLSE, arg0: 0, arg1: 5 });
    host.send(PacketType.OPEN, 6, 0, Buffer.from("exec:echo alive\0"));
    expect(await host.next()).toMatchObject({ type: PacketType.OKAY, arg1: 6 });
    expect((await host.next()).payload.toString()).toBe("alive\n");
  });

  test("without an OKAY the phone sends one packet and waits", async () => {
    const { port } = await startPhone();
    const host = await rawHost(port);
    host.send(PacketType.CNXN, 0x01000001, 4096, HOST_BANNER);
    await host.next();
    host.send(PacketType.OPEN, 9, 0, Buffer.from("exec:seq 100000\0"));
    const opened = await host.next();
    const first = await host.next();
    expect(first.type).toBe(PacketType.WRTE);
    const second = host.next();
    expect(await Promise.race([second, delay(60, "silence")])).toBe("silence");
    host.send(PacketType.OKAY, 9, opened.arg0);
    expect((await second).type).toBe(PacketType.WRTE);
  });

  test.each([
    ["a wrong magic", Buffer.alloc(24, 7)],
    ["a payload of 100 MB", encodeHeader(PacketType.WRTE, 1, 1, Buffer.alloc(0), false).fill(6, 12, 16)],
  ])("%s ends that connection and no other", async (_, bytes) => {
    const { port, text } = await startPhone();
    const host = await rawHost(port);
    host.send(PacketType.CNXN, 0x01000001, 4096, HOST_BANNER);
    await host.next();
    const closed = once(host.socket, "close");
    host.socket.write(bytes);
    await closed;
    expect(await text("echo still here")).toBe("still here\n");
  });

  test("the protocol of Android 6 has checksums, 256 KB packets and no shell protocol", async () => {
    const { port } = await startPhone({ quirks: { oldAndroid: true } });
    const host = await rawHost(port);
    host.send(PacketType.CNXN, 0x01000001, 1024 * 1024, HOST_BANNER);
    const answer = await host.next();
    expect(answer).toMatchObject({ arg0: 0x01000000, arg1: 256 * 1024 });
    expect(answer.payload.toString()).not.toContain("shell_v2");
    host.send(PacketType.OPEN, 3, 0, Buffer.from("shell:echo hi\0"));
    await host.next();
    const output = await host.next();
    expect(output.checksum).toBe(checksumOf(output.payload));
    expect(output.payload.toString()).toBe("hi\r\n");
    const closed = once(host.socket, "close");
    host.send(PacketType.OPEN, 4, 0, Buffer.from("shell:echo hi\0"), { checksum: false });
    await closed;
  });
});

describe("authorization", () => {
  test("an unknown host waits until the person at the phone allows it, and is known afterwards", async () => {
    const { createSimulatedPhone } = await import("../../../device-agent/simulated-phone/simulated-phone.ts");
    const phone = createSimulatedPhone({ authorization: "prompt" });
    onTestFinished(() => phone.close());
    const { port } = await phone.listen();
    const keys = createMemoryKeys();
    const waiting = openDirectAdb(port, keys);
    await expect.poll(() => phone.pendingKeys()).toHaveLength(1);
    expect(phone.pendingKeys()[0]).toContain("desk@example");
    phone.allowPendingKeys();
    const adb = await waiting;
    expect(await adb.getProp("ro.adb.secure")).toBe("1");
    await adb.close();
    const again = await openDirectAdb(port, keys);
    expect(phone.pendingKeys()).toEqual([]);
    await again.close();
  });
});

describe("what happens to phones", () => {
  test("a pulled cable ends the connection and the running command; the phone can be reached again", async () => {
    const { phone, adb, port } = await startPhone();
    const running = adb.subprocess.shellProtocol?.spawn("sleep 100");
    const process = await running;
    phone.unplug();
    await expect(process?.exited).rejects.toThrow();
    const again = await openDirectAdb(port);
    await expect
      .poll(async () => (await again.subprocess.shellProtocol?.spawnWaitText("pidof sleep"))?.exitCode)
      .toBe(1);
  });

  test("a frozen phone says nothing and goes on when it thaws", async () => {
    const { phone, run } = await startPhone();
    phone.freeze();
    const answer = run("echo back");
    expect(await Promise.race([answer, delay(80, "silence")])).toBe("silence");
    phone.thaw();
    expect((await answer).stdout).toBe("back\n");
  });

  test("a client that closes its stream ends the command", async () => {
    const { adb, text } = await startPhone();
    const process = await adb.subprocess.noneProtocol.spawn("sleep 100");
    process.exited.catch(() => {});
    await process.kill();
    await expect.poll(() => text("pidof sleep || echo none")).toBe("none\n");
  });

  test("a reboot drops the host, closes the apps and comes back at the same address", async () => {
    const { phone, run, port } = await startPhone();
    await run("am start -n com.android.settings/.Settings");
    expect(phone.screen.foregroundPackage).toBe("com.android.settings");
    await run("reboot").catch(() => {});
    await expect
      .poll(
        () =>
          openDirectAdb(port)
            .then((adb) => adb.getProp("sys.boot_completed"))
            .catch(() => ""),
        { timeout: 5_000 },
      )
      .toBe("1");
    expect(phone.screen.foregroundPackage).toBe("com.google.android.apps.nexuslauncher");
  });
});
