import { type Clock, pause } from "../../../shared/clock.ts";
import type { InstalledApp } from "../../../shared/device.ts";
import type { CommandRunner } from "../shell/command-runner.ts";

type Labels = ReadonlyMap<string, string>;

export interface AppDetailsParts {
  runner: CommandRunner;
  clock: Clock;
  /** Names of apps by package; may take its time and may reject. */
  readLabels(signal: AbortSignal): Promise<Labels>;
  /** The same for those few that any phone tells by itself; used where the other way has none. */
  readWrittenLabels?(signal: AbortSignal): Promise<Labels>;
}

interface Detail {
  /** What is known is known of this version. */
  versionCode: number | null;
  version: string | null;
  /** Undefined: not told yet. Null: the phone has none for it. */
  label: string | null | undefined;
}

/** What a list of apps waits for the details at most; what comes later is there for the next list. */
const PATIENCE_MS = 3_000;
const VERSIONS_MS = 15_000;
/** Names that could not be read are not asked for again for so long. */
const LABELS_AGAIN_MS = 5 * 60_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The whole dump has megabytes; what is wanted is picked on the phone. */
const versionsCommand = "dumpsys package packages | grep -E '^ *(Package \\[|versionName=)'";

/** Versions and names of one phone's apps, which are slow to learn and change with an app's version code only. */
export class AppDetails {
  readonly #parts: AppDetailsParts;
  readonly #known = new Map<string, Detail>();
  #labelsFailedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<unknown> | undefined;

  constructor(parts: AppDetailsParts) {
    this.#parts = parts;
  }

  /** The same apps with what is known of them within three seconds; the rest stays null. */
  async add(apps: InstalledApp[], signal: AbortSignal): Promise<InstalledApp[]> {
    const { clock } = this.#parts;
    const asksLabels = clock.now() - this.#labelsFailedAt >= LABELS_AGAIN_MS;
    const isMissing = (app: InstalledApp) => {
      const known = this.#detailOf(app);
      return !known || (known.label === undefined && asksLabels);
    };
    if (apps.some(isMissing)) this.#reading ??= this.#read(apps, asksLabels);
    if (this.#reading) await Promise.race([this.#reading, pause(clock, PATIENCE_MS, signal).catch(() => {})]);
    signal.throwIfAborted();
    return apps.map((app) => {
      const known = this.#detailOf(app);
      return { ...app, version: known?.version ?? null, label: known?.label ?? null };
    });
  }

  #detailOf({ packageName, versionCode }: InstalledApp): Detail | undefined {
    const known = this.#known.get(packageName);
    return known?.versionCode === versionCode ? known : undefined;
  }

  /** Outlives the call that began it, since the next one wants the same. */
  async #read(apps: InstalledApp[], asksLabels: boolean): Promise<void> {
    const { runner, readLabels, readWrittenLabels } = this.#parts;
    const signal = new AbortController().signal;
    const options = { signal, timeoutMs: VERSIONS_MS, task: "tell the versions of its apps", maxBytes: MAX_BYTES };
    const versions = runner.text(versionsCommand, options).then(({ output }) => {
      const told = parseVersions(output);
      for (const app of apps) this.#learn(app, { version: told.get(app.packageName) ?? null });
    });
    const written = readWrittenLabels?.(signal).then((told) => {
      for (const app of apps) if (told.has(app.packageName)) this.#learn(app, { label: told.get(app.packageName) });
    });
    const labels = asksLabels
      ? readLabels(signal).then(
          async (told) => {
            await written?.catch(() => {});
            for (const app of apps) {
              this.#learn(app, { label: told.get(app.packageName) ?? this.#detailOf(app)?.label ?? null });
            }
          },
          () => {
            this.#labelsFailedAt = this.#parts.clock.now();
          },
        )
      : undefined;
    await Promise.allSettled([versions, labels, written]);
    this.#reading = undefined;
  }

  #learn(app: InstalledApp, news: Partial<Detail>): void {
    const { packageName, versionCode } = app;
    const known = this.#detailOf(app) ?? { versionCode, version: null, label: undefined };
    this.#known.set(packageName, { ...known, ...news });
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
