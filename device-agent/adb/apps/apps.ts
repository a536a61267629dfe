import { type Clock, pause } from "../../../shared/clock.ts";
import type { ForegroundApp, InstalledApp, StartedApp } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { commandFailure } from "../errors.ts";
import type { CommandRunner, RunOptions } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";
import { foregroundCommands, parseForeground } from "./foreground.ts";
import { parsePackageList } from "./installed-apps.ts";
import { type Component, checkPackageName, parseComponent } from "./package-name.ts";

const IN_FRONT_MS = 10_000;
const main = ["-a", "android.intent.action.MAIN", "-c"];
const launcher = [...main, "android.intent.category.LAUNCHER"];
/** Apps of televisions. */
const leanback = [...main, "android.intent.category.LEANBACK_LAUNCHER"];

interface Launchers {
  intent: string[];
  /** The first one is what the phone itself would open. */
  found: Component[];
}

/** Apps of one phone, for the user who is in front. */
export class Apps {
  readonly #runner: CommandRunner;
  readonly #clock: Clock;
  readonly #seen: (packageName: string | null) => void;

  /** `seen` hears of each app that was found in front on the main display. */
  constructor(runner: CommandRunner, clock: Clock, seen: (packageName: string | null) => void = () => {}) {
    this.#runner = runner;
    this.#clock = clock;
    this.#seen = seen;
  }

  /** What is in front on a display; on the main one where none is named. */
  async foreground(signal: AbortSignal, display = 0): Promise<ForegroundApp> {
    const options = { signal, timeoutMs: 8000, task: "say which app is in front" };
    const front = parseForeground(await this.#runner.sections(foregroundCommands, options), display);
    if (display === 0) this.#seen(front.packageName);
    return front;
  }

  async list(filter: "user" | "system" | "all", signal: AbortSignal): Promise<InstalledApp[]> {
    const user = await this.user(signal);
    const lists = await this.#lists(filter, ["--user", user, "--show-versioncode"], signal);
    // Before Android 9 the option for versions is an error, which empties the list.
    const apps = lists.length > 0 ? lists : await this.#lists(filter, ["--user", user], signal);
    return apps.sort((a, b) => (a.packageName < b.packageName ? -1 : 1));
  }

  /** Throws `target_not_found`, and `deadline_exceeded` when the app does not come to the front. */
  async start(packageName: string, signal: AbortSignal): Promise<StartedApp> {
    checkPackageName(packageName);
    const user = await this.user(signal);
    const { intent, found } = await this.#launchersOf(packageName, user, signal);
    const [target, ...others] = found;
    const aim = target ? ["-n", `${target.packageName}/${target.activity}`, ...intent] : [...intent, "-p", packageName];
    const command = commandLine("am", "start", "--user", user, ...aim);
    const { output } = await this.#runner.text(command, { ...starting, signal });
    const failure = startFailure(output);
    if (failure) throw failure;
    const front = await this.#untilInFront(packageName, signal);
    return others.length > 0 ? { ...front, otherLaunchers: others.map(({ activity }) => activity) } : front;
  }

  async stop(packageName: string, signal: AbortSignal): Promise<void> {
    checkPackageName(packageName);
    const user = await this.user(signal);
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
  async user(signal: AbortSignal): Promise<string> {
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
    const failure = commandFailure(`${users}\n${systems}`);
    if (failure) throw failure;
    return [...parsePackageList(users, false), ...parsePackageList(systems, true)];
  }

  /** None found on phones before Android 7, which cannot be asked. Throws `target_not_found`. */
  async #launchersOf(packageName: string, user: string, signal: AbortSignal): Promise<Launchers> {
    const options = { signal, timeoutMs: 10_000, task: "look for the app" };
    let first = "";
    for (const intent of [launcher, leanback]) {
      const ask = (verb: string) =>
        commandLine("cmd", "package", verb, "--brief", "--user", user, ...intent, packageName);
      const answers = await this.#runner.sections([ask("resolve-activity"), ask("query-activities")], options);
      const own = answers
        .flatMap((answer) => answer.split("\n").map(parseComponent))
        .filter((component) => component?.packageName === packageName);
      const found = new Map(own.flatMap((component) => (component ? [[component.activity, component] as const] : [])));
      if (found.size > 0) return { intent, found: [...found.values()] };
      first ||= answers[0] ?? "";
      if (/not found|inaccessible|Unknown command|Can't find service/i.test(first))
        return { intent: launcher, found: [] };
    }
    throw new CodedError("target_not_found", "There is no such app on the phone, or it has no screen to open.", {
      hint: "Run list_apps to see the package names.",
      cause: first,
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
