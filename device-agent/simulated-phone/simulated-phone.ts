import { type AdbdServer, type Address, connectionIdentity, createAdbdServer } from "./adbd/server.ts";
import { launchOf } from "./apps/app.ts";
import { programsFor } from "./commands/catalogue.ts";
import { createPhoneShell } from "./commands/shell-host.ts";
import { type KeyguardKind, resolveProfile, type SimulatedPhoneOptions } from "./options.ts";
import type { ReceivedInput } from "./phone/injector.ts";
import { createPhone } from "./phone/phone.ts";
import { productOf } from "./phone/properties.ts";
import type { Rotation } from "./screen/display.ts";
import { resourceId } from "./screen/hierarchy-xml.ts";
import type { Screen } from "./screen/screen.ts";
import { placedViews } from "./screen/view.ts";
import { openService } from "./services/catalogue.ts";
import { createReverseForwards } from "./services/reverse-service.ts";

/** What a person beside the phone sees. Every property is read anew. */
export interface VisibleState {
  readonly foregroundPackage: string;
  /** Full class name. */
  readonly foregroundActivity: string;
  readonly focusedFieldText: string | undefined;
  /** Content of the fields on the screen by full resource id; passwords in clear. */
  readonly fieldTexts: Readonly<Record<string, string>>;
  readonly clipboard: string | undefined;
  readonly wakefulness: "Awake" | "Asleep";
  readonly isLocked: boolean;
  readonly isKeyboardShown: boolean;
  /** Id of the input method that is chosen. */
  readonly inputMethod: string;
  /** Ids of those that may be chosen. */
  readonly enabledInputMethods: readonly string[];
  readonly isPanelLit: boolean;
  readonly rotation: Rotation;
  readonly width: number;
  readonly height: number;
  /** Every text that can be read on the screen, top window first. */
  readonly texts: readonly string[];
  /** Oldest first. */
  readonly receivedInputs: readonly ReceivedInput[];
}

export interface SimulatedPhone {
  readonly serial: string;
  readonly model: string;
  readonly screen: VisibleState;
  /** What the second panel shows, which is logical display 2; undefined without the quirk. */
  readonly secondScreen: VisibleState | undefined;
  /** Starts adbd; port 0 takes a free one. */
  listen(address?: { readonly host?: string; readonly port?: number }): Promise<Address>;
  close(): Promise<void>;
  /** Public keys that wait for the person's answer. */
  pendingKeys(): readonly string[];
  allowPendingKeys(): void;
  /** The picture of the screen as PNG. */
  picture(): Promise<Buffer>;
  /** Turns the phone in the hand; the screen follows while auto-rotate is on. */
  rotate(rotation: Rotation): void;
  /** Turns the second panel, which always follows. */
  rotateSecond(rotation: Rotation): void;
  /** Closes or opens a foldable: the other panel takes over. */
  fold(isFolded: boolean): void;
  /** Every program that ran, with its arguments as the phone's shell parsed them; oldest first. */
  ranPrograms(): readonly (readonly string[])[];
  /** What runs now, apps and the system among them. */
  processes(): readonly { readonly pid: number; readonly group: number; readonly name: string }[];
  /** Switches the screen off, which locks it when there is a keyguard. */
  lock(): void;
  wake(): void;
  /** Opens an app by hand. */
  open(packageName: string): void;
  setClipboard(text: string): void;
  /** Writes, reads and removes files of the storage. */
  readonly files: {
    read(path: string): Buffer;
    write(path: string, data: Buffer): void;
    exists(path: string): boolean;
  };
  /** Shows a notification. */
  notify(notification: { readonly title: string; readonly text: string; readonly packageName?: string }): void;
  /** Pulls the cable: connections drop, new ones are welcome. */
  unplug(): void;
  /** Stops answering without closing anything. */
  freeze(): void;
  thaw(): void;
  /** Resolves when adbd answers again; Android is still starting then. */
  reboot(): Promise<void>;
  /** Android has started, however long it would have taken. */
  finishStart(): void;
}

export type { Address, KeyguardKind, ReceivedInput, Rotation, SimulatedPhoneOptions };

/** From the order to restart until adbd answers, and from then until Android has started. */
const AWAY_MS = { small: 150, real: 8_000 } as const;
const START_MS = { small: 150, real: 12_000 } as const;

export function createSimulatedPhone(options: SimulatedPhoneOptions = {}): SimulatedPhone {
  const profile = resolveProfile(options);
  const phone = createPhone(profile, (reason) => void restart(reason));
  const { screen } = phone;
  const shell = createPhoneShell(phone, programsFor(profile.sdk));
  const reverse = createReverseForwards(phone.sockets);
  const authorizedKeys = new Set(profile.authorizedKeys);
  const waiting = new Map<string, () => void>();
  let address: Address | undefined;

  const adbd: AdbdServer = createAdbdServer({
    identity: connectionIdentity(productOf(profile), profile.quirks),
    keyStore: {
      isOpen: profile.authorization === "open",
      keys: () => authorizedKeys,
      ask: (key, allow) => void waiting.set(key, allow),
    },
    log: profile.log,
    onOpen(incoming, connection) {
      openService({ incoming, connection, phone, shell, reverse }).catch((error: unknown) => {
        profile.log(
          `service ${incoming.service.slice(0, 80)} failed: ${error instanceof Error ? error.stack : String(error)}`,
        );
      });
    },
    onDisconnected: (connection) => reverse.removeAll(connection),
  });

  async function restart(reason: string): Promise<void> {
    const last = address;
    profile.log(`rebooting${reason === "" ? "" : ` (${reason})`}`);
    await adbd.close();
    phone.restart();
    await profile.clock.sleep(AWAY_MS[profile.latency]);
    phone.start.begin(Math.max(profile.startMs, START_MS[profile.latency]));
    if (last && address) await adbd.listen(last);
  }

  return {
    serial: profile.serial,
    model: profile.model,
    screen: visibleState(phone, screen),
    secondScreen: phone.second && visibleState(phone, phone.second.screen),
    async listen(wanted = {}) {
      address = await adbd.listen(wanted);
      return address;
    },
    async close() {
      address = undefined;
      reverse.removeAll();
      phone.start.stop();
      phone.processes.endShellProcesses();
      await adbd.close();
    },
    pendingKeys: () => [...waiting.keys()],
    allowPendingKeys() {
      for (const [key, allow] of waiting) {
        authorizedKeys.add(key);
        allow();
      }
      waiting.clear();
    },
    picture: () => phone.renderer.png(),
    rotate(rotation) {
      screen.display.heldRotation = rotation;
      screen.changed();
    },
    rotateSecond(rotation) {
      if (!phone.second) return;
      phone.second.screen.display.heldRotation = rotation;
      phone.second.screen.changed();
    },
    fold(isFolded) {
      screen.display.isFolded = isFolded;
      screen.changed();
    },
    ranPrograms: () => phone.ranPrograms,
    processes: () => phone.processes.list().map(({ pid, group, name }) => ({ pid, group, name })),
    lock: screen.sleep,
    wake: screen.wake,
    open: (packageName) => void screen.start(launchOf(packageName)),
    setClipboard: (text) => phone.clipboard.set(text),
    files: {
      read: (path) => phone.files.read(path),
      write: (path, data) => phone.files.write(path, data),
      exists: (path) => phone.files.stat(path) !== undefined,
    },
    notify({ title, text, packageName = "app.farhand.chat" }) {
      const app = screen.tasks.find(packageName);
      const icon = app?.icon ?? { name: "bell" as const, color: "#63676f" };
      screen.shade.post({
        packageName,
        appLabel: app?.label ?? packageName,
        title,
        text,
        postedAt: profile.clock.now(),
        icon,
      });
    },
    unplug: () => adbd.dropConnections(),
    freeze: () => adbd.setFrozen(true),
    thaw: () => adbd.setFrozen(false),
    reboot: () => restart(""),
    finishStart: phone.start.finish,
  };
}

function visibleState(
  { clipboard, injector, inputMethods }: ReturnType<typeof createPhone>,
  screen: Screen,
): VisibleState {
  const everyView = () =>
    [...screen.windows()]
      .reverse()
      .flatMap((placed) =>
        [...placedViews(placed.root)].map(({ view }) => ({ view, packageName: placed.window.packageName })),
      );
  return {
    get foregroundPackage() {
      return screen.tasks.foreground().spec.packageName;
    },
    get foregroundActivity() {
      return screen.tasks.foreground().app.activity();
    },
    get focusedFieldText() {
      return screen.focusedField()?.value;
    },
    get fieldTexts() {
      return Object.fromEntries(
        everyView().flatMap(({ view, packageName }) =>
          view.field ? [[resourceId(view, packageName), view.field.value]] : [],
        ),
      );
    },
    get clipboard() {
      return clipboard.text();
    },
    get wakefulness() {
      return screen.isAwake() ? ("Awake" as const) : ("Asleep" as const);
    },
    get isLocked() {
      return screen.keyguard.isShowing();
    },
    get isKeyboardShown() {
      return screen.isKeyboardShown();
    },
    get inputMethod() {
      return inputMethods.current();
    },
    get enabledInputMethods() {
      return inputMethods.enabled();
    },
    get isPanelLit() {
      return screen.isPanelLit();
    },
    get rotation() {
      return screen.display.rotation();
    },
    get width() {
      return screen.display.width();
    },
    get height() {
      return screen.display.height();
    },
    get texts() {
      return everyView().flatMap(({ view }) => (view.text ? [view.text] : []));
    },
    get receivedInputs() {
      return injector.received();
    },
  };
}
