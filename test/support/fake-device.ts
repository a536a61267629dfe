import type {
  Device,
  DeviceFacts,
  ForegroundApp,
  InstalledApp,
  Picture,
  PictureRequest,
  Point,
  ScreenStatus,
  TypedText,
  UiTree,
} from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import type { KeyName } from "../../shared/keys.ts";

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
  };
  tree: UiTree = { size: { width: 1080, height: 2400 }, rotation: 0, nodes: [] };
  front: ForegroundApp = { packageName: "com.example.notes", activity: ".Main", overlay: null };
  apps: InstalledApp[] = [{ packageName: "com.example.notes", versionCode: 1, system: false }];
  clipboard = "";
  typed = "";
  /** Changes the picture's fingerprint. */
  scene = 0;
  /** Runs before each action: throws, or takes its time. */
  before: (action: string, signal: AbortSignal) => Promise<void> | void = () => {};

  /** The actions that changed something. */
  get writes(): Done[] {
    const reads = ["facts", "status", "capture", "readTree", "foreground", "listApps", "readClipboard"];
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

  async writeClipboard(text: string, signal: AbortSignal): Promise<string> {
    await this.#act("writeClipboard", signal, { text });
    this.clipboard = text;
    return this.clipboard;
  }

  async tap(point: Point, signal: AbortSignal): Promise<void> {
    await this.#act("tap", signal, { ...point });
  }

  async swipe(from: Point, to: Point, durationMs: number, signal: AbortSignal): Promise<void> {
    await this.#act("swipe", signal, { from, to, durationMs });
  }

  async pressKey(key: KeyName, signal: AbortSignal): Promise<void> {
    await this.#act("pressKey", signal, { key });
  }

  async typeText(text: string, signal: AbortSignal): Promise<TypedText> {
    await this.#act("typeText", signal, { text });
    this.typed += text;
    return { route: "input", fieldText: this.typed, verified: "true" };
  }

  async startApp(packageName: string, signal: AbortSignal): Promise<ForegroundApp> {
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
