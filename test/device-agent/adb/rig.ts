import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdbPhonesOptions, createAdbPhones } from "../../../device-agent/adb/adb-phones.ts";
import { bundledScrcpyServer } from "../../../device-agent/adb/scrcpy/scrcpy-server-file.ts";
import type { Phones } from "../../../device-agent/phones.ts";
import { createPictureEncoder } from "../../../device-agent/pictures/create-picture-encoder.ts";
import {
  createSimulatedPhone,
  type SimulatedPhone,
  type SimulatedPhoneOptions,
} from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { Device } from "../../../shared/device.ts";
import { AdbServer } from "./adb-server.ts";
import { clock, silent } from "./test-parts.ts";

export type RouteKind = "adb server" | "direct";

/** A small screen is quick to draw. */
const small = { width: 540, height: 1200, density: 210 };

/** Simulated phones and the ways to them; everything is taken down by `close`. */
export class Rig {
  readonly #closers: (() => Promise<unknown>)[] = [];

  async phone(options: SimulatedPhoneOptions = {}): Promise<{ sim: SimulatedPhone; address: string }> {
    const sim = createSimulatedPhone({ ...small, ...options });
    const { host, port } = await sim.listen();
    this.#closers.push(() => sim.close());
    return { sim, address: `${host}:${port}` };
  }

  async server(port?: number): Promise<AdbServer> {
    const server = await AdbServer.start(port);
    this.#closers.push(() => server.stop());
    return server;
  }

  async folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), "farhand-"));
    this.#closers.push(() => rm(path, { recursive: true }));
    return path;
  }

  async phones(options: Partial<AdbPhonesOptions>): Promise<Phones> {
    const encoder = await createPictureEncoder();
    const scrcpyServerFile = bundledScrcpyServer();
    const phones = createAdbPhones({
      clock,
      random: Math.random,
      logger: silent,
      encoder,
      ...(scrcpyServerFile === undefined ? {} : { scrcpyServerFile }),
      ...options,
    });
    this.#closers.push(() => phones.stop());
    await phones.start();
    return phones;
  }

  async phonesBy(route: RouteKind, ...addresses: string[]): Promise<Phones> {
    if (route === "direct") return this.phones({ direct: addresses, keyFile: join(await this.folder(), "key.pem") });
    const server = await this.server();
    for (const address of addresses) await server.adb("connect", address);
    return this.phones({ server: { host: "127.0.0.1", port: server.port } });
  }

  async device(
    route: RouteKind,
    options: SimulatedPhoneOptions = {},
  ): Promise<{ sim: SimulatedPhone; device: Device }> {
    const { sim, address } = await this.phone(options);
    const phones = await this.phonesBy(route, address);
    return { sim, device: phones.open(sim.serial) };
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}
