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
import { readWrittenLabels } from "./apps/written-labels.ts";
import { createControl } from "./control.ts";
import { DisplayScreens } from "./display-screens.ts";
import { factsCommands, parseFacts } from "./facts/device-facts.ts";
import { examine } from "./facts/examine.ts";
import { Limitations } from "./facts/limitations.ts";
import type { Connect } from "./phones/connection.ts";
import { readLogLines } from "./reports/log-lines.ts";
import { notificationCommands, parseNotifications } from "./reports/notifications.ts";
import { readAppLabels } from "./scrcpy/app-labels.ts";
import { ScreenOrientation } from "./screen/orientation.ts";
import { Power } from "./screen/power.ts";
import { createCommandRunner } from "./shell/command-runner.ts";
import type { PutBackNotes } from "./text/put-back-notes.ts";

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
  /** Key of the phone. */
  phone: string;
  /** What has to be put back on it, from an earlier process too. */
  notes: PutBackNotes;
  /** Id of the input method that the owner allows for text that goes by no other way. */
  helperKeyboard?: string;
  /** Hears of each app that was found in front. */
  sawInFront?: (packageName: string | null) => void;
}

export interface AdbDevice extends Device {
  examine(signal: AbortSignal): Promise<PhoneFinding[]>;
  /** Begins to put back what typing has left changed. */
  settle(): void;
  close(): void;
}

/** One phone behind ADB. What is slow to learn is kept here, one set for each phone. */
export function createAdbDevice(parts: AdbDeviceParts): AdbDevice {
  const { clock, random, logger, encoder, connect, scrcpyServerFile: serverFile } = parts;
  const runner = createCommandRunner({ connect, clock, random });
  const apps = new Apps(runner, clock, parts.sawInFront);
  const inputRefused = () => limitations.inputRefused();
  const { textReader } = parts;
  const ways = { runner, connect, clock, random, logger };
  const { phone, notes, helperKeyboard } = parts;
  const typing = { phone, notes, helperKeyboard };
  const screens = new DisplayScreens({ ...ways, ...typing, encoder, textReader, serverFile, apps, inputRefused });
  const { putBack } = screens;
  const { screen, channel, clipboard, keys } = screens.main;
  const { status } = screen;
  const limitations = new Limitations(channel, textReader);
  const details = new AppDetails({
    runner,
    clock,
    readLabels: (signal) => readAppLabels({ connect, clock, runner, serverFile }, signal),
    readWrittenLabels: async (signal) => readWrittenLabels(runner, await apps.user(signal), signal),
  });
  const orientation = new ScreenOrientation({ runner, clock, readStatus: status });
  const power = new Power({ runner, clock, keys, readStatus: status });

  return {
    ...screen,
    display: (id) => screens.display(id),
    listApps: async (filter, signal) => details.add(await apps.list(filter, signal), signal),
    startApp: (packageName, signal) => apps.start(packageName, signal),
    stopApp: (packageName, signal) => apps.stop(packageName, signal),
    openUrl: (url, signal) => openUrl({ runner, clock, apps }, url, signal),
    setOrientation: (wanted, signal) => orientation.set(wanted, signal),
    readClipboard: (signal) => putBack.alone(signal, () => clipboard.read(signal)),
    async readNotifications(signal) {
      const options = { signal, timeoutMs: 10_000, task: "list its notifications", maxBytes: 8 * 1024 * 1024 };
      return parseNotifications(await runner.sections(notificationCommands, options));
    },
    readLogs: (request, signal) => readLogLines(runner, request, signal),
    writeClipboard: (text, signal) =>
      putBack.alone(signal, async () => {
        await clipboard.write(text, signal);
        return clipboard.read(signal);
      }),
    async facts(signal) {
      const answers = await runner.sections(factsCommands, { signal, timeoutMs: 10_000, task: "describe itself" });
      const facts = parseFacts(answers);
      return { ...facts, limitations: await limitations.list(facts.sdk) };
    },
    wake: (signal) => power.wake(signal),
    sleep: (signal) => power.sleep(signal),
    ...createControl({ runner, connect, clock, random, apps, downloads: parts.downloads }),
    examine: (signal) => examine({ runner, keys, channel, limitations, readStatus: status }, signal),
    settle: () => putBack.settle(),
    close: () => screens.close(),
  };
}
