import type { Clock } from "../../shared/clock.ts";
import type { Device } from "../../shared/device.ts";
import type { Logger } from "../../shared/log.ts";
import type { PhoneFinding } from "../doctor/finding.ts";
import type { TextReader } from "../ocr/text-reader.ts";
import type { Downloads } from "../outgoing/downloads.ts";
import type { PictureEncoder } from "../pictures/picture-encoder.ts";
import { AppDetails } from "./apps/app-details.ts";
import { Apps } from "./apps/apps.ts";
import { openUrl } from "./apps/open-url.ts";
import { createControl } from "./control.ts";
import { factsCommands, parseFacts } from "./facts/device-facts.ts";
import { examine } from "./facts/examine.ts";
import { Limitations } from "./facts/limitations.ts";
import { InputRouter } from "./input/input-router.ts";
import { PointerAndKeys } from "./input/pointer-and-keys.ts";
import type { Connect } from "./phones/connection.ts";
import { readLogLines } from "./reports/log-lines.ts";
import { notificationCommands, parseNotifications } from "./reports/notifications.ts";
import { readAppLabels } from "./scrcpy/app-labels.ts";
import { ScrcpyChannel } from "./scrcpy/scrcpy-channel.ts";
import { ScreenCapture } from "./screen/capture.ts";
import { ScreenOrientation } from "./screen/orientation.ts";
import { Power } from "./screen/power.ts";
import { createRecentShape } from "./screen/recent-shape.ts";
import { readScreenText } from "./screen/screen-text.ts";
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
  textReader?: TextReader;
  /** For apps from the internet. */
  downloads?: Downloads;
  scrcpyServerFile?: string;
}

export interface AdbDevice extends Device {
  examine(signal: AbortSignal): Promise<PhoneFinding[]>;
  close(): void;
}

/** One phone behind ADB. What is slow to learn is kept here, one set for each phone. */
export function createAdbDevice(parts: AdbDeviceParts): AdbDevice {
  const { clock, random, logger, encoder, connect, scrcpyServerFile: serverFile } = parts;
  const runner = createCommandRunner({ connect, clock, random });
  const { status, shape } = createRecentShape(clock, (signal) => readStatus(runner, signal));
  const capture = new ScreenCapture({ runner, clock, logger, encoder, readStatus: status });
  const trees = new TreeReader({ runner, clock, random, readStatus: status });
  const channel = new ScrcpyChannel({ connect, clock, random, logger, serverFile });
  const clipboard = new Clipboard(channel, clock);
  const limitations = new Limitations(channel, parts.textReader);
  const keys = new PointerAndKeys(runner, () => limitations.inputRefused());
  const readTree = (signal: AbortSignal) => trees.read(signal);
  const typer = new TextTyper({ keys, clipboard, clock, readTree });
  const apps = new Apps(runner, clock);

  const details = new AppDetails({
    runner,
    clock,
    readLabels: (signal) => readAppLabels({ connect, clock, runner, serverFile }, signal),
  });
  const input = new InputRouter({ channel, keys, clock, readShape: shape });
  const orientation = new ScreenOrientation({ runner, clock, readStatus: status });
  const power = new Power({ runner, clock, keys, readStatus: status });

  return {
    status,
    capture: (request, signal) => capture.capture(request, signal),
    readTree,
    readText: (signal) => readScreenText({ capture, reader: parts.textReader }, signal),
    foreground: (signal) => apps.foreground(signal),
    listApps: async (filter, signal) => details.add(await apps.list(filter, signal), signal),
    startApp: (packageName, signal) => apps.start(packageName, signal),
    stopApp: (packageName, signal) => apps.stop(packageName, signal),
    openUrl: (url, signal) => openUrl({ runner, clock, apps }, url, signal),
    setOrientation: (wanted, signal) => orientation.set(wanted, signal),
    tap: (point, signal) => input.tap(point, signal),
    doubleTap: (point, signal) => input.doubleTap(point, signal),
    swipe: (from, to, durationMs, signal) => input.swipe(from, to, durationMs, signal),
    pinch: (centre, scale, signal) => input.pinch(centre, scale, signal),
    pressKey: (key, signal) => input.pressKey(key, signal),
    typeText: (text, signal) => typer.type(text, signal),
    readClipboard: (signal) => clipboard.read(signal),
    async readNotifications(signal) {
      const options = { signal, timeoutMs: 10_000, task: "list its notifications", maxBytes: 8 * 1024 * 1024 };
      return parseNotifications(await runner.sections(notificationCommands, options));
    },
    readLogs: (request, signal) => readLogLines(runner, request, signal),
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
    ...createControl({ runner, connect, clock, random, apps, downloads: parts.downloads }),
    examine: (signal) => examine({ runner, keys, channel, limitations, readStatus: status }, signal),
    close: () => channel.close(),
  };
}
