import { type Clock, pause } from "../../../shared/clock.ts";
import type { ForegroundApp, InstalledApp } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { commandFailure } from "../errors.ts";
import type { CommandRunner, RunOptions } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";
import { foregroundCommands, parseForeground } from "./foreground.ts";
import { parsePackageList } from "./installed-apps.ts";
import { type Component, checkPackageName, parseComponent } from "./package-name.ts";

const IN_FRONT_MS = 10_000;
const launcher = ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"];

/** Apps of one phone, for the user who is in front. */
export class Apps {
  readonly #runner: CommandRunner;
  readonly #clock: Clock;

  constructor(runner: CommandRunner, clock: Clock) {
    this.#runner = runner;
    this.#clock = clock;
  }

  async foreground(signal: AbortSignal): Promise<ForegroundApp> {
    const options = { signal, timeoutMs: 8000, task: "say which app is in front" };
    return parseForeground(await this.#runner.sections(foregroundCommands, options));
  }

  async list(filter: "user" | "system" | "all", signal: AbortSignal): Promise<InstalledApp[]> {
    const user = await this.#user(signal);
    const lists = await this.#lists(filter, ["--user", user, "--show-versioncode"], signal);
    // Before Android 9 the option for versions is an error, which empties the list.
    const apps = lists.length > 0 ? lists : await this.#lists(filter, ["--user", user], signal);
    return apps.sort((a, b) => (a.packageName < b.packageName ? -1 : 1));
  }

  /** Throws `target_not_found`, and `deadline_exceeded` when the app does not come to the front. */
  async start(packageName: string, signal: AbortSignal): Promise<ForegroundApp> {
    checkPackageName(packageName);
    const user = await this.#user(signal);
    const target = await this.#launcherOf(packageName, user, signal);
    const command = target
      ? commandLine("am", "start", "--user", user, "-n", `${target.packageName}/${target.activity}`, ...launcher)
      : commandLine("am", "start", "--user", user, ...launcher, "-p", packageName);
    const { output } = await this.#runner.text(command, { ...starting, signal });
    const failure = startFailure(output);
    if (failure) throw failure;
    return this.#untilInFront(packageName, signal);
  }

  async stop(packageName: string, signal: AbortSignal): Promise<void> {
    checkPackageName(packageName);
    const user = await this.#user(signal);
    const options = { signal, timeoutMs: 10_000, task: "stop the app", writes: true };
    const { output, exitCode } = await this.#runner.text(
      commandLine("am", "force-stop", "--user", user, packageName),
      options,
    );
    const failure = commandFailure(output);
    if (failure) throw failure;
    if (exitCode !== 0) throw new CodedError("unsupported", "The phone did not stop the app.", { cause: output });
  }

  /** The number of the user in front; 0 on phones that have no others or do not tell. */
  async #user(signal: AbortSignal): Promise<string> {
    const [answer = ""] = await this.#runner.sections(["am get-current-user"], {
      signal,
      timeoutMs: 8000,
      task: "say which user is in front",
    });
    return /^\s*(\d{1,6})\s*$/.exec(answer)?.[1] ?? "0";
  }

  async #lists(filter: "user" | "system" | "all", words: string[], signal: AbortSignal): Promise<InstalledApp[]> {
    const user = commandLine("pm", "list", "packages", "-3", ...words);
    const system = commandLine("pm", "list", "packages", "-s", ...words);
    const options: RunOptions = { signal, timeoutMs: 15_000, task: "list its apps" };
    const [users = "", systems = ""] = await this.#runner.sections(
      [filter === "system" ? "true" : user, filter === "user" ? "true" : system],
      options,
    );
    return [...parsePackageList(users, false), ...parsePackageList(systems, true)];
  }

  /** Undefined on phones before Android 7, which cannot be asked. */
  async #launcherOf(packageName: string, user: string, signal: AbortSignal): Promise<Component | undefined> {
    const ask = (verb: string) =>
      commandLine("cmd", "package", verb, "--brief", "--user", user, ...launcher, packageName);
    const options = { signal, timeoutMs: 10_000, task: "look for the app" };
    const [resolved = "", matching = ""] = await this.#runner.sections(
      [ask("resolve-activity"), ask("query-activities")],
      options,
    );
    const own = [...resolved.split("\n"), ...matching.split("\n")]
      .map(parseComponent)
      .find((component) => component?.packageName === packageName);
    if (own) return own;
    if (/not found|inaccessible|Unknown command|Can't find service/i.test(resolved)) return undefined;
    throw new CodedError("target_not_found", "There is no such app on the phone, or it has no screen to open.", {
      hint: "Run list_apps to see the package names.",
      cause: resolved,
    });
  }

  async #untilInFront(packageName: string, signal: AbortSignal): Promise<ForegroundApp> {
    const until = this.#clock.now() + IN_FRONT_MS;
    for (;;) {
      const front = await this.foreground(signal);
      if (front.packageName === packageName || front.overlay === "permission_dialog") return front;
      if (this.#clock.now() >= until) break;
      await pause(this.#clock, 300, signal);
    }
    throw new CodedError("deadline_exceeded", "The app was started and did not come to the front within 10 s.");
  }
}

const starting = { timeoutMs: 15_000, task: "start the app", writes: true };

/** What `am start` says on stdout or stderr; old releases end with 0 whatever happened. */
export function startFailure(output: string): CodedError | undefined {
  if (
    /Error type 3|does not exist|unable to resolve Intent|No activity found|Error: Activity not started, unable to/i.test(
      output,
    )
  ) {
    return new CodedError("target_not_found", "There is no such app on the phone, or it has no screen to open.", {
      hint: "Run list_apps to see the package names.",
      cause: output,
    });
  }
  if (/^Error:|^Error type/m.test(output)) {
    return new CodedError("unsupported", "The phone refused to start the app.", { cause: output });
  }
  return commandFailure(output);
}
