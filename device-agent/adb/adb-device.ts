import type { Clock } from "../../shared/clock.ts";
import type { Device } from "../../shared/device.ts";
import type { Logger } from "../../shared/log.ts";
import type { PictureEncoder } from "../pictures/picture-encoder.ts";
import { Apps } from "./apps/apps.ts";
import { factsCommands, parseFacts } from "./facts/device-facts.ts";
import { Limitations } from "./facts/limitations.ts";
import { PointerAndKeys } from "./input/pointer-and-keys.ts";
import type { Connect } from "./phones/connection.ts";
import { ScreenCapture } from "./screen/capture.ts";
import { Power } from "./screen/power.ts";
import { readStatus } from "./screen/status-reader.ts";
import { createCommandRunner } from "./shell/command-runner.ts";
import { Clipboard } from "./text/clipboard.ts";
import { TextTyper } from "./text/text-typer.ts";
import { TreeReader } from "./tree/tree-reader.ts";

export interface AdbDeviceParts {
  connect: Connect;
  clock: Clock;
  random: () => number;
  logger: Logger;
  encoder: PictureEncoder;
  scrcpyServerFile?: string;
}

/** One phone behind ADB. What is slow to learn is kept here, one set for each phone. */
export function createAdbDevice(parts: AdbDeviceParts): Device & { close(): void } {
  const { clock, random, logger, encoder, connect, scrcpyServerFile: serverFile } = parts;
  const runner = createCommandRunner({ connect, clock, random });
  const status = (signal: AbortSignal) => readStatus(runner, signal);
  const capture = new ScreenCapture({ runner, clock, logger, encoder, readStatus: status });
  const trees = new TreeReader({ runner, clock, random, readStatus: status });
  const clipboard = new Clipboard({ connect, clock, random, logger, serverFile });
  const limitations = new Limitations(clipboard);
  const keys = new PointerAndKeys(runner, () => limitations.inputRefused());
  const readTree = (signal: AbortSignal) => trees.read(signal);
  const typer = new TextTyper({ keys, clipboard, clock, readTree });
  const apps = new Apps(runner, clock);

  const power = new Power({ runner, clock, keys, readStatus: status });

  return {
    status,
    capture: (request, signal) => capture.capture(request, signal),
    readTree,
    foreground: (signal) => apps.foreground(signal),
    listApps: (filter, signal) => apps.list(filter, signal),
    startApp: (packageName, signal) => apps.start(packageName, signal),
    stopApp: (packageName, signal) => apps.stop(packageName, signal),
    tap: (point, signal) => keys.tap(point, signal),
    swipe: (from, to, durationMs, signal) => keys.swipe(from, to, durationMs, signal),
    pressKey: (key, signal) => keys.pressKey(key, signal),
    typeText: (text, signal) => typer.type(text, signal),
    readClipboard: (signal) => clipboard.read(signal),
    async writeClipboard(text, signal) {
      await clipboard.write(text, signal);
      return clipboard.read(signal);
    },
    async facts(signal) {
      const answers = await runner.sections(factsCommands, { signal, timeoutMs: 10_000, task: "describe itself" });
      const facts = parseFacts(answers);
      return { ...facts, limitations: await limitations.list(facts.sdk) };
    },
    wake: (signal) => power.wake(signal),
    sleep: (signal) => power.sleep(signal),
    close: () => clipboard.close(),
  };
}
