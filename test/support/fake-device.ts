import type {
  Device,
  DeviceFacts,
  DeviceScreen,
  ForegroundApp,
  InputRoute,
  InstalledApp,
  LogRequest,
  Orientation,
  Picture,
  PictureRequest,
  Point,
  PostedNotification,
  ReadText,
  Rotation,
  ScreenStatus,
  StartedApp,
  TextBox,
  TypedText,
  UiTree,
} from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import type { KeyName } from "../../shared/keys.ts";
import { createFakeControl, newControlState } from "./fake-control.ts";

export interface Done {
  action: string;
  [detail: string]: unknown;
}

/** A phone that does at once what it is told and remembers it. A test sets what is on it, and what goes wrong. */
export class FakeDevice implements Device {
  /** Everything that was asked of it, in order, reads included. */
  readonly done: Done[] = [];
  screen: ScreenStatus = {
    size: { width: 1080, height: 2400 },
    rotation: 0,
    awake: true,
    locked: false,
    secureLock: false,
    keyboard: [],
  };
  tree: UiTree = { size: { width: 1080, height: 2400 }, rotation: 0, nodes: [] };
  /** What is readable in the pixels; null: this phone's device agent has no text reader. */
  texts: TextBox[] | null = null;
  front: ForegroundApp = { packageName: "com.example.notes", activity: ".Main", overlay: null };
  apps: InstalledApp[] = [
    { packageName: "com.example.notes", versionCode: 1, version: "1.0", label: "Notes", system: false },
  ];
  notifications: PostedNotification[] = [];
  log: string[] = [];
  /** The app in front does not let itself be turned. */
  keepsOrientation = false;
  clipboard = "";
  /** The way that inputs go. */
  route: InputRoute = "input";
  typed = "";
  /** Changes the picture's fingerprint. */
  scene = 0;
  /** Runs before each action: throws, or takes its time. */
  before: (action: string, signal: AbortSignal) => Promise<void> | void = () => {};

  /** The actions that changed something. */
  get writes(): Done[] {
    const reads = ["facts", "status", "capture", "readTree", "readText", "foreground", "listApps", "readClipboard"];
    return this.done.filter(({ action }) => !reads.includes(action));
  }

  async #act(action: string, signal: AbortSignal, details: object = {}): Promise<void> {
    signal.throwIfAborted();
    await this.before(action, signal);
    signal.throwIfAborted();
    this.done.push({ action, ...details });
  }

  async facts(signal: AbortSignal): Promise<DeviceFacts> {
    await this.#act("facts", signal);
    return {
      manufacturer: "Example",
      model: "Fake",
      androidRelease: "14",
      sdk: 34,
      physicalSize: { width: 1080, height: 2400 },
      overrideSize: null,
      density: 420,
      batteryPercent: 80,
      charging: false,
      locale: "en-US",
      abi: "arm64-v8a",
      network: "wifi",
      limitations: [],
    };
  }

  async status(signal: AbortSignal): Promise<ScreenStatus> {
    await this.#act("status", signal);
    return { ...this.screen };
  }

  async capture(request: PictureRequest, signal: AbortSignal): Promise<Picture> {
    await this.#act("capture", signal);
    if (!this.screen.awake) throw new CodedError("screen_off", "The screen is off.");
    const native = this.screen.size;
    const width = Math.min(request.maxWidth, native.width);
    const height = Math.round((native.height * width) / native.width);
    return {
      bytes: new Uint8Array([0xff, 0xd8, 0xff, this.scene]),
      mimeType: "image/jpeg",
      width,
      height,
      native,
      rotation: this.screen.rotation,
      quality: request.quality,
      black: false,
      fingerprint: String(this.scene),
    };
  }

  async readTree(signal: AbortSignal): Promise<UiTree> {
    await this.#act("readTree", signal);
    return this.tree;
  }

  /** Its displays beside the main one, by their numbers. */
  readonly displays = new Map<number, FakeDevice>();

  display(id: number): DeviceScreen {
    const display = id === 0 ? this : this.displays.get(id);
    if (!display) throw new CodedError("target_not_found", `The phone has no display ${id} now.`);
    return display;
  }

  async readText(signal: AbortSignal): Promise<ReadText> {
    await this.#act("readText", signal);
    if (!this.texts) throw new CodedError("unsupported", "The add-on is missing.", { hint: "Add it." });
    return { size: this.screen.size, rotation: this.screen.rotation, texts: this.texts, black: false };
  }

  async foreground(signal: AbortSignal): Promise<ForegroundApp> {
    await this.#act("foreground", signal);
    return this.front;
  }

  async listApps(filter: "user" | "system" | "all", signal: AbortSignal): Promise<InstalledApp[]> {
    await this.#act("listApps", signal, { filter });
    return this.apps.filter(({ system }) => filter === "all" || system === (filter === "system"));
  }

  async readClipboard(signal: AbortSignal): Promise<string> {
    await this.#act("readClipboard", signal);
    return this.clipboard;
  }

  async readNotifications(signal: AbortSignal): Promise<PostedNotification[]> {
    await this.#act("readNotifications", signal);
    return this.notifications;
  }

  async readLogs(request: LogRequest, signal: AbortSignal): Promise<string[]> {
    await this.#act("readLogs", signal, { ...request });
    return this.log;
  }

  async writeClipboard(text: string, signal: AbortSignal): Promise<string> {
    await this.#act("writeClipboard", signal, { text });
    this.clipboard = text;
    return this.clipboard;
  }

  async tap(point: Point, signal: AbortSignal): Promise<InputRoute> {
    await this.#act("tap", signal, { ...point });
    return this.route;
  }

  async doubleTap(point: Point, signal: AbortSignal): Promise<InputRoute> {
    await this.#act("doubleTap", signal, { ...point });
    return this.route;
  }

  async swipe(from: Point, to: Point, durationMs: number, signal: AbortSignal): Promise<InputRoute> {
    await this.#act("swipe", signal, { from, to, durationMs });
    return this.route;
  }

  async pinch(centre: Point, scale: number, signal: AbortSignal): Promise<InputRoute> {
    if (this.route !== "scrcpy") throw new CodedError("unsupported", "This phone has no way for two fingers.");
    await this.#act("pinch", signal, { ...centre, scale });
    return this.route;
  }

  async pressKey(key: KeyName, signal: AbortSignal): Promise<InputRoute> {
    await this.#act("pressKey", signal, { key });
    return this.route;
  }

  async typeText(text: string, signal: AbortSignal): Promise<TypedText> {
    await this.#act("typeText", signal, { text });
    this.typed += text;
    return { route: "input", fieldText: this.typed, verified: "true" };
  }

  async startApp(packageName: string, signal: AbortSignal): Promise<StartedApp> {
    await this.#act("startApp", signal, { packageName });
    if (!this.apps.some((app) => app.packageName === packageName)) {
      throw new CodedError("target_not_found", "This app is not installed.");
    }
    this.front = { packageName, activity: ".Main", overlay: null };
    return this.front;
  }

  async stopApp(packageName: string, signal: AbortSignal): Promise<void> {
    await this.#act("stopApp", signal, { packageName });
  }

  /** What the dangerous tools find and leave. */
  readonly control = newControlState();
  readonly #dangerous = createFakeControl((...asked) => this.#act(...asked), this.control);
  readonly shell = this.#dangerous.shell;
  readonly files = this.#dangerous.files;
  readonly packages = this.#dangerous.packages;
  readonly reboot = this.#dangerous.reboot;

  async openUrl(url: string, signal: AbortSignal): Promise<ForegroundApp> {
    await this.#act("openUrl", signal, { url });
    this.front = { packageName: "com.example.browser", activity: ".Page", overlay: null };
    return this.front;
  }

  async setOrientation(orientation: Orientation | "auto", signal: AbortSignal) {
    await this.#act("setOrientation", signal, { orientation });
    if (orientation !== "auto" && !this.keepsOrientation) {
      const rotation = (["portrait", "landscape", "reverse_portrait", "reverse_landscape"] as const).indexOf(
        orientation,
      );
      const size = rotation % 2 === 0 ? { width: 1080, height: 2400 } : { width: 2400, height: 1080 };
      this.screen = { ...this.screen, rotation: rotation as Rotation, size };
    }
    const { size, rotation } = this.screen;
    const names: Orientation[] = ["portrait", "landscape", "reverse_portrait", "reverse_landscape"];
    return { size, rotation, orientation: names[rotation] ?? "portrait" };
  }

  async wake(signal: AbortSignal): Promise<ScreenStatus> {
    await this.#act("wake", signal);
    this.screen = { ...this.screen, awake: true };
    return { ...this.screen };
  }

  async sleep(signal: AbortSignal): Promise<ScreenStatus> {
    await this.#act("sleep", signal);
    this.screen = { ...this.screen, awake: false };
    return { ...this.screen };
  }
}
