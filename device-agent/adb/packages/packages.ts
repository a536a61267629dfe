import type { Clock } from "../../../shared/clock.ts";
import type { InstalledApp } from "../../../shared/device.ts";
import type { AppSource, DevicePackages } from "../../../shared/device-control.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Downloads } from "../../outgoing/downloads.ts";
import type { Apps } from "../apps/apps.ts";
import { checkPackageName } from "../apps/package-name.ts";
import type { PhoneFiles } from "../files/phone-files.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { withDeadline } from "../shell/deadline.ts";
import { commandLine } from "../shell/quote.ts";
import { bring, broughtFolder } from "./bring.ts";
import { packageFailure } from "./install-failures.ts";
import { type AppPart, installParts } from "./install-session.ts";

/** Files are fetched and copied until then; what is there is kept for the next call. */
const FETCH_MS = 40_000;
/** An install that begins later might not end in time. */
const LATEST_INSTALL_MS = 25_000;

export interface PackagesParts {
  runner: CommandRunner;
  clock: Clock;
  files: PhoneFiles;
  apps: Pick<Apps, "list" | "user">;
  /** Undefined where nothing may be fetched. */
  downloads: Downloads | undefined;
}

type Report = (percent: number, message: string) => void;

/** Apps coming and going. */
export function createPackages(parts: PackagesParts): DevicePackages {
  const { runner, clock, files, apps } = parts;

  const pm = async (command: string, task: string, signal: AbortSignal) => {
    const { output } = await runner.text(command, { signal, timeoutMs: 35_000, task, writes: true });
    if (!/^Success/m.test(output)) throw packageFailure(output);
  };

  const installedApp = async (packageName: string, signal: AbortSignal): Promise<InstalledApp> => {
    checkPackageName(packageName);
    const app = (await apps.list("all", signal)).find((one) => one.packageName === packageName);
    if (app) return app;
    throw new CodedError("target_not_found", "There is no such app on the phone.", {
      hint: "Run list_apps to see the package names.",
    });
  };

  const prepare = async (sources: AppSource[], report: Report, signal: AbortSignal): Promise<AppPart[]> => {
    const ready: AppPart[] = [];
    for (const [index, source] of sources.entries()) {
      const part = (fraction: number, message: string) =>
        report(Math.round((90 * (index + fraction)) / sources.length), message);
      const path = await bring(parts, source, part, signal);
      ready.push({ path, size: await files.size(path, signal) });
    }
    return ready;
  };

  return {
    async install(sources, report, signal) {
      const begun = clock.now();
      const before = await apps.list("all", signal);
      const ready = await withDeadline({ clock, ms: FETCH_MS, signal, task: "take the files" }, (own) =>
        prepare(sources, report, own),
      ).catch((error: unknown) => {
        throw isTimeUp(error) ? toBeContinued(error) : error;
      });
      if (clock.now() - begun > LATEST_INSTALL_MS) throw toBeContinued();
      report(90, "The phone installs the app.");
      await installParts(runner, ready, await apps.user(signal), signal);
      const after = await apps.list("all", signal).catch(() => []);
      const brought = ready.map(({ path }) => path).filter((path) => path.startsWith(broughtFolder));
      if (brought.length > 0) await runner.text(commandLine("rm", "-f", ...brought), tidyUp(signal)).catch(() => {});
      return changedApp(before, after);
    },

    async uninstall(packageName, keepData, signal) {
      if ((await installedApp(packageName, signal)).system) {
        throw new CodedError("install_refused", "This app is a part of the system and cannot be removed.", {
          hint: "clear_app_data resets it; stop_app ends it.",
        });
      }
      const keep = keepData ? ["-k"] : [];
      const command = commandLine("pm", "uninstall", ...keep, "--user", await apps.user(signal), packageName);
      await pm(command, "remove the app", signal);
    },

    async clearData(packageName, signal) {
      await installedApp(packageName, signal);
      const user = await apps.user(signal);
      await pm(commandLine("pm", "clear", "--user", user, packageName), "clear the app's data", signal);
    },
  };
}

const tidyUp = (signal: AbortSignal) => ({ signal, timeoutMs: 5_000, task: "remove the files", writes: true });

/** The app that is new, or has another version; null when several are, or none. */
function changedApp(before: InstalledApp[], after: InstalledApp[]): string | null {
  const versions = new Map(before.map((app) => [app.packageName, app.versionCode]));
  const changed = after.filter((app) => versions.get(app.packageName) !== app.versionCode);
  return changed.length === 1 ? (changed[0]?.packageName ?? null) : null;
}

const isTimeUp = (error: unknown) => error instanceof CodedError && error.code === "deadline_exceeded";

const toBeContinued = (cause?: unknown) =>
  new CodedError("deadline_exceeded", "The files are not all on the phone yet; nothing was installed.", {
    hint: "Call install_app again with the same arguments: what was fetched is kept, and it goes on from there.",
    retryAfterMs: 0,
    cause,
  });
