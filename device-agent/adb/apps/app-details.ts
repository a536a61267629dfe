import { type Clock, pause } from "../../../shared/clock.ts";
import type { InstalledApp } from "../../../shared/device.ts";
import type { CommandRunner } from "../shell/command-runner.ts";

export interface AppDetailsParts {
  runner: CommandRunner;
  clock: Clock;
  /** Names of apps by package; may take its time and may reject. */
  readLabels(signal: AbortSignal): Promise<Map<string, string>>;
}

/** What a list of apps waits for the details at most; what comes later is there for the next list. */
const PATIENCE_MS = 3_000;
const VERSIONS_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The whole dump has megabytes; what is wanted is picked on the phone. */
const versionsCommand = "dumpsys package packages | grep -E '^ *(Package \\[|versionName=)'";

/** Versions and names of one phone's apps, which are slow to learn and seldom change. */
export class AppDetails {
  readonly #parts: AppDetailsParts;
  #versions = new Map<string, string>();
  #labels = new Map<string, string>();
  /** Apps in the versions that were looked up. */
  readonly #known = new Set<string>();
  #reading: Promise<unknown> | undefined;

  constructor(parts: AppDetailsParts) {
    this.#parts = parts;
  }

  /** The same apps with what is known of them within three seconds; the rest stays null. */
  async add(apps: InstalledApp[], signal: AbortSignal): Promise<InstalledApp[]> {
    const all = apps.map((app) => `${app.packageName}:${app.versionCode}`);
    if (!all.every((app) => this.#known.has(app))) this.#reading ??= this.#read(all);
    if (this.#reading)
      await Promise.race([this.#reading, pause(this.#parts.clock, PATIENCE_MS, signal).catch(() => {})]);
    signal.throwIfAborted();
    return apps.map((app) => ({
      ...app,
      version: this.#versions.get(app.packageName) ?? null,
      label: this.#labels.get(app.packageName) ?? null,
    }));
  }

  /** Outlives the call that began it, since the next one wants the same. */
  async #read(all: string[]): Promise<void> {
    const { runner, readLabels } = this.#parts;
    const signal = new AbortController().signal;
    const options = { signal, timeoutMs: VERSIONS_MS, task: "tell the versions of its apps", maxBytes: MAX_BYTES };
    const versions = runner.text(versionsCommand, options).then(({ output }) => {
      this.#versions = parseVersions(output);
    });
    const labels = readLabels(signal).then((told) => {
      this.#labels = told;
    });
    const [told] = await Promise.allSettled([versions, labels]);
    this.#reading = undefined;
    if (told.status === "fulfilled") for (const app of all) this.#known.add(app);
  }
}

/** The first version of each package: an update of a system app stands before the one it hides. */
export function parseVersions(text: string): Map<string, string> {
  const versions = new Map<string, string>();
  let packageName = "";
  for (const line of text.split(/\r?\n/)) {
    packageName = /^\s*Package \[([\w.]+)\]/.exec(line)?.[1] ?? packageName;
    const version = /^\s*versionName=(.+?)\s*$/.exec(line)?.[1];
    if (version !== undefined && version !== "null" && !versions.has(packageName)) versions.set(packageName, version);
  }
  return versions;
}
