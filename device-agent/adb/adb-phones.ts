import { type Clock, pause } from "../../shared/clock.ts";
import type { Device } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import type { DeviceReport } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import type { PhoneFinding } from "../doctor/finding.ts";
import type { TextReader } from "../ocr/text-reader.ts";
import type { Downloads } from "../outgoing/downloads.ts";
import type { Phones } from "../phones.ts";
import type { PictureEncoder } from "../pictures/picture-encoder.ts";
import { type AdbDevice, createAdbDevice } from "./adb-device.ts";
import { createDirectRoutes } from "./direct/direct-routes.ts";
import { createKeyFile } from "./direct/key-file.ts";
import { Identifier } from "./phones/identifier.ts";
import type { Identity } from "./phones/identity.ts";
import { IdentityMemory } from "./phones/identity-memory.ts";
import { type KnownRoute, Phone } from "./phones/phone.ts";
import { PhoneKeys } from "./phones/phone-keys.ts";
import type { Route, RouteSource } from "./phones/route.ts";
import type { AdbServerAddress } from "./server/connector.ts";
import { createServerRoutes } from "./server/server-routes.ts";
import { startAdbServer } from "./server/start-server.ts";
import { PutBackNotes } from "./text/put-back-notes.ts";

export interface AdbPhonesOptions {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  logger: Logger;
  encoder: PictureEncoder;
  /** Reads text from pixels, for all phones; closed with them. */
  textReader?: TextReader;
  /** For apps from the internet; left out: nothing is fetched. */
  downloads?: Downloads;
  /** The adb server; it may be absent and come later. Left out: phones by an adb server are not looked for. */
  server?: AdbServerAddress;
  /** Starts the adb server once when none answers at the first look and `adb` is on the PATH. */
  startAdbServer?: boolean;
  /** Phones that we dial ourselves, as `host:port`. They need `keyFile`. */
  direct?: readonly string[];
  /** The RSA key by which phones know us; made 0600 when it is not there. */
  keyFile?: string;
  /** Where it is kept which phone was last seen under which serial, so that keys outlive a restart. */
  memoryFile?: string;
  /** Shown by a phone when it asks its owner whether to trust us. */
  keyName?: string;
  /** scrcpy-server 3.3.1, for the clipboard and for text that `input` cannot type. */
  scrcpyServerFile?: string;
  /** Id of the input method that the owner allows for text that goes by no other way. */
  helperKeyboard?: string;
  /** Where it is kept what has to be put back on phones, so that it outlives the process. */
  putBackFile?: string;
  /** Leaves phones out, by the serial that adb shows. */
  isAllowed?: (serial: string) => boolean;
}

/** The phones of an adb server and those that we dial ourselves, merged by what the phones say they are. */
export function createAdbPhones(options: AdbPhonesOptions): Phones {
  return new AdbPhones(options, sourcesOf(options));
}

function sourcesOf(options: AdbPhonesOptions): RouteSource[] {
  const { clock, random, logger, server, direct = [], keyFile, keyName = "farhand" } = options;
  const sources: RouteSource[] = [];
  if (server) {
    const startServer = options.startAdbServer ? () => startAdbServer(server) : undefined;
    sources.push(createServerRoutes({ address: server, clock, random, logger, startServer }));
  }
  if (direct.length > 0) {
    if (keyFile === undefined) throw new TypeError("Phones that we dial ourselves need a key file.");
    const keys = createKeyFile(keyFile, keyName);
    sources.push(createDirectRoutes({ addresses: direct, keys, clock, random, logger }));
  }
  return sources;
}

/** What has not answered by then comes later. */
const FIRST_LOOK_MS = 8000;

class AdbPhones implements Phones {
  readonly #options: AdbPhonesOptions;
  readonly #sources: RouteSource[];
  readonly #routes = new Map<RouteSource, Route[]>();
  readonly #identifier: Identifier;
  readonly #remembered: IdentityMemory;
  readonly #phones = new Map<string, Phone>();
  readonly #devices = new Map<string, AdbDevice>();
  readonly #keys = new PhoneKeys();
  readonly #notes: PutBackNotes;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  #told = "[]";

  constructor(options: AdbPhonesOptions, sources: RouteSource[]) {
    this.#options = options;
    this.#sources = sources;
    const { clock, random, logger, memoryFile, putBackFile } = options;
    this.#notes = new PutBackNotes({ file: putBackFile, clock, logger });
    this.#remembered = new IdentityMemory(memoryFile, logger);
    this.#identifier = new Identifier({ clock, random, logger, changed: () => this.#arrange() });
  }

  async start(): Promise<void> {
    const look = async () => {
      await Promise.all(this.#sources.map((source) => source.start((routes) => this.#onRoutes(source, routes))));
      await this.#identifier.settled();
    };
    await Promise.race([look(), pause(this.#options.clock, FIRST_LOOK_MS, this.#stopping.signal).catch(() => {})]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const device of this.#devices.values()) device.close();
    this.#notes.close();
    this.#options.textReader?.close();
    await Promise.all(this.#sources.map((source) => source.stop()));
    this.#identifier.update([]);
  }

  list(): DeviceReport[] {
    const listed = [...this.#phones.values()].filter((phone) => phone.isListed).map((phone) => phone.report());
    return listed.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  open(key: string): Device {
    return this.#open(key);
  }

  async examine(key: string, signal: AbortSignal): Promise<PhoneFinding[]> {
    return this.#open(key).examine(signal);
  }

  #open(key: string): AdbDevice {
    const phone = this.#phones.get(key);
    if (!phone) throw new CodedError("device_not_found", "There is no such phone here.");
    const refusal = phone.refusal();
    if (refusal) throw refusal;
    const device = this.#devices.get(key) ?? this.#createDevice(phone);
    this.#devices.set(key, device);
    return device;
  }

  #createDevice(phone: Phone): AdbDevice {
    return createAdbDevice({
      ...this.#options,
      phone: phone.key,
      notes: this.#notes,
      connect: (signal) => phone.connect(signal),
      sawInFront: (packageName) => {
        if (phone.sawInFront(packageName)) this.#tell();
      },
    });
  }

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #onRoutes(source: RouteSource, routes: Route[]): void {
    const { isAllowed } = this.#options;
    this.#routes.set(source, isAllowed ? routes.filter((route) => isAllowed(route.serial)) : routes);
    this.#identifier.update([...this.#routes.values()].flat());
    this.#arrange();
  }

  /** Sorts all routes under their phones and tells whoever listens. */
  #arrange(): void {
    const groups = new Map<string, KnownRoute[]>();
    for (const route of [...this.#routes.values()].flat()) {
      const said = this.#identifier.identityOf(route);
      const isStarting = this.#identifier.isStarting(route);
      const last = this.#remembered.get(route.serial);
      if (said && !isStarting) this.#remembered.set(route.serial, said);
      // A phone that is starting does not know all of itself yet.
      const isLast = isStarting && said?.hardwareSerial === last?.hardwareSerial;
      const identity = (isLast ? last : said) ?? last;
      const isMute = this.#identifier.isMute(route);
      // A phone that nobody knows yet is shown once it has said who it is, or has failed to.
      if (!identity && route.state === "device" && !isMute) continue;
      const key = identity ? this.#keyOf(route, identity) : keyOfStranger(route, groups);
      groups.set(key, [
        ...(groups.get(key) ?? []),
        { route, identity, isSure: said !== undefined && !isStarting, isMute, isStarting },
      ]);
    }
    const back: string[] = [];
    for (const [key, routes] of groups) {
      const phone = this.#phone(key);
      const wasReady = phone.isReady;
      phone.update(routes);
      if (!wasReady && phone.isReady && this.#notes.get(key)) back.push(key);
    }
    for (const [key, phone] of this.#phones) if (!groups.has(key)) phone.update([]);
    for (const key of back) this.#open(key).settle();
    this.#tell();
  }

  #keyOf(route: Route, identity: Identity): string {
    return this.#keys.keyFor(identity, route.serial, (key) => this.#phones.get(key)?.isReady ?? false);
  }

  #phone(key: string): Phone {
    const phone = this.#phones.get(key) ?? new Phone(key, this.#options.clock);
    this.#phones.set(key, phone);
    return phone;
  }

  #tell(): void {
    const now = JSON.stringify(this.list());
    if (now === this.#told) return;
    this.#told = now;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The ADB serial, which two strangers may share: each row of the list is shown. */
function keyOfStranger(route: Route, groups: ReadonlyMap<string, KnownRoute[]>): string {
  const serial = route.serial || route.id;
  return groups.has(serial) ? `${serial}#${route.usb ?? route.id}` : serial;
}
