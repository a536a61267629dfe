import { type Clock, pause } from "../../../shared/clock.ts";
import type { ForegroundApp } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";
import { type Apps, startFailure } from "./apps.ts";

export interface OpenUrlParts {
  runner: CommandRunner;
  clock: Clock;
  apps: Pick<Apps, "foreground" | "user">;
}

/** An app that was in front already takes a new address without a change that could be waited for. */
const SAME_APP_MS = 1500;
const STEP_MS = 250;

/**
 * Asks the phone to show an address and resolves with what came to the front: an app, or the chooser. Numbers go to the
 * dialler with DIAL, which never calls. Throws `target_not_found` when no app is there for it.
 */
export async function openUrl(parts: OpenUrlParts, url: string, signal: AbortSignal): Promise<ForegroundApp> {
  const { runner, clock, apps } = parts;
  const action = url.startsWith("tel:") ? "android.intent.action.DIAL" : "android.intent.action.VIEW";
  const user = await apps.user(signal);
  const before = await apps.foreground(signal);
  const options = { signal, timeoutMs: 15_000, task: "open the address", writes: true };
  const { output } = await runner.text(commandLine("am", "start", "--user", user, "-a", action, "-d", url), options);
  const failure = startFailure(output);
  if (failure?.code === "target_not_found") throw noAppFor(output);
  if (failure) throw failure;
  const until = clock.now() + SAME_APP_MS;
  for (;;) {
    const front = await apps.foreground(signal);
    const isOther = front.packageName !== before.packageName || front.overlay !== before.overlay;
    if (isOther || clock.now() >= until) return front;
    await pause(clock, STEP_MS, signal).catch(() => {
      throw abortError(signal);
    });
  }
}

const noAppFor = (cause: string) =>
  new CodedError("target_not_found", "No app on the phone opens this kind of address.", {
    hint: "Use another address, or open an app with open_app.",
    cause,
  });
