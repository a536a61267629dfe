import type { Clock } from "../../shared/clock.ts";
import type { DeviceScreen } from "../../shared/device.ts";
import type { Logger } from "../../shared/log.ts";
import type { TextReader } from "../ocr/text-reader.ts";
import type { PictureEncoder } from "../pictures/picture-encoder.ts";
import type { Apps } from "./apps/apps.ts";
import { DisplayInput } from "./input/display-input.ts";
import { InputRouter } from "./input/input-router.ts";
import { PointerAndKeys } from "./input/pointer-and-keys.ts";
import type { Connect } from "./phones/connection.ts";
import { ScrcpyChannel } from "./scrcpy/scrcpy-channel.ts";
import { ScreenCapture } from "./screen/capture.ts";
import { createRecentScreens, type RecentScreens } from "./screen/recent-screens.ts";
import { readScreenText } from "./screen/screen-text.ts";
import { readStatus } from "./screen/status-reader.ts";
import type { CommandRunner } from "./shell/command-runner.ts";
import { Clipboard } from "./text/clipboard.ts";
import { HelperKeyboard } from "./text/helper-keyboard.ts";
import { PutBack } from "./text/put-back.ts";
import type { PutBackNotes } from "./text/put-back-notes.ts";
import { TextTyper } from "./text/text-typer.ts";
import { TreeReader } from "./tree/tree-reader.ts";

export interface DisplayScreensParts {
  runner: CommandRunner;
  connect: Connect;
  clock: Clock;
  random: () => number;
  logger: Logger;
  encoder: PictureEncoder;
  textReader: TextReader | undefined;
  serverFile: string | undefined;
  apps: Apps;
  /** Hears of a phone that refuses injected input. */
  inputRefused: () => void;
  /** Key of the phone. */
  phone: string;
  notes: PutBackNotes;
  /** Id of the input method that the owner allows. */
  helperKeyboard: string | undefined;
}

/** The main display and the parts of it that belong to the whole phone. */
export interface MainScreen {
  screen: DeviceScreen;
  channel: ScrcpyChannel;
  clipboard: Clipboard;
  keys: PointerAndKeys;
}

interface OtherScreen {
  screen: DeviceScreen;
  channel: ScrcpyChannel;
}

const PASTE = 279;
/** Displays come and go, virtual ones under a new number each time; only the last ones used keep their channel. */
const MOST_OTHERS = 3;

/** The displays of one phone. */
export class DisplayScreens {
  readonly main: MainScreen;
  readonly putBack: PutBack;
  readonly #parts: DisplayScreensParts;
  readonly #recent: RecentScreens;
  readonly #trees: TreeReader;
  readonly #input: DisplayInput;
  readonly #others = new Map<number, OtherScreen>();

  constructor(parts: DisplayScreensParts) {
    const { runner, clock, random } = parts;
    this.#parts = parts;
    this.#recent = createRecentScreens(clock, (display, signal) => readStatus(runner, display, signal));
    this.#trees = new TreeReader({
      runner,
      clock,
      random,
      readStatus: (display, signal) => this.#recent.status(display, signal),
      hasAppsElsewhere: () => this.#recent.hasAppsElsewhere,
    });
    this.#input = new DisplayInput(runner);
    const clipboard = {
      readIfText: (signal: AbortSignal) => this.main.clipboard.readIfText(signal),
      write: (text: string, signal: AbortSignal) => this.main.clipboard.write(text, signal),
    };
    this.putBack = new PutBack({ ...parts, clipboard });
    this.main = this.#create(0, new PointerAndKeys(runner, parts.inputRefused));
  }

  display(id: number): DeviceScreen {
    if (id === 0) return this.#mainWithKeys();
    const known = this.#others.get(id);
    // The last one used comes last.
    this.#others.delete(id);
    const other = known ?? this.#createOther(id);
    this.#others.set(id, other);
    for (const [oldest, { channel }] of this.#others) {
      if (this.#others.size <= MOST_OTHERS) break;
      channel.close();
      this.#others.delete(oldest);
    }
    return other.screen;
  }

  close(): void {
    this.putBack.close();
    for (const { channel } of [this.main, ...this.#others.values()]) channel.close();
    this.#others.clear();
  }

  /** Keys and text are for the main display even while another one has the focus. */
  #mainWithKeys(): DeviceScreen {
    const { screen, clipboard } = this.main;
    const { runner, clock, inputRefused } = this.#parts;
    const keys = new PointerAndKeys(runner, inputRefused, 0);
    // The channel's own paste key would go where the focus is.
    const pasting = {
      open: (signal: AbortSignal) => clipboard.open(signal),
      readIfText: (signal: AbortSignal) => clipboard.readIfText(signal),
      write: (text: string, signal: AbortSignal) => clipboard.write(text, signal),
      paste: async (text: string, signal: AbortSignal) => {
        await clipboard.write(text, signal);
        await keys.pressCode(PASTE, signal);
      },
    };
    const readTree = (signal: AbortSignal) => screen.readTree(signal);
    const { putBack } = this;
    const typer = new TextTyper({ keys, clipboard: pasting, putBack, helper: undefined, clock, readTree });
    const isOnlyOne = async (signal: AbortSignal) =>
      !(await screen.status(signal)).otherDisplays || !(await this.#input.isPossible(signal));
    return {
      ...screen,
      pressKey: async (key, signal) => {
        if (await isOnlyOne(signal)) return screen.pressKey(key, signal);
        await keys.pressKey(key, signal);
        return "input";
      },
      typeText: async (text, signal) =>
        (await isOnlyOne(signal)) ? screen.typeText(text, signal) : typer.type(text, signal),
    };
  }

  #createOther(display: number): OtherScreen {
    const { runner, inputRefused } = this.#parts;
    const { screen, channel } = this.#create(display, new PointerAndKeys(runner, inputRefused, display));
    /** Nothing is sent to a display that is not there, nor by a phone that would send it to another one. */
    const ready = async (signal: AbortSignal) => {
      await this.#recent.shape(display, signal);
      await this.#input.require(signal);
    };
    return {
      channel,
      screen: {
        ...screen,
        tap: (point, signal) => ready(signal).then(() => screen.tap(point, signal)),
        doubleTap: (point, signal) => ready(signal).then(() => screen.doubleTap(point, signal)),
        swipe: (from, to, ms, signal) => ready(signal).then(() => screen.swipe(from, to, ms, signal)),
        pinch: (centre, scale, signal) => ready(signal).then(() => screen.pinch(centre, scale, signal)),
        pressKey: (key, signal) => ready(signal).then(() => screen.pressKey(key, signal)),
        typeText: (text, signal) => ready(signal).then(() => screen.typeText(text, signal)),
      },
    };
  }

  #create(display: number, keys: PointerAndKeys): MainScreen {
    const { runner, connect, clock, random, logger, encoder, textReader: reader, serverFile, apps } = this.#parts;
    const status = (signal: AbortSignal) => this.#recent.status(display, signal);
    const readTree = (signal: AbortSignal) => this.#trees.read(display, signal);
    const capture = new ScreenCapture({ runner, clock, logger, encoder, display, readStatus: status });
    const channel = new ScrcpyChannel({ connect, clock, random, logger, serverFile, display });
    const clipboard = new Clipboard(channel, clock);
    // Text for no display in particular is read back where the focus is.
    const readTyped = (signal: AbortSignal) => this.#trees.read(display || this.#recent.focusedDisplay, signal);
    const { helperKeyboard } = this.#parts;
    // An input method types where the focus is, and nowhere else.
    const isForFocus = display === 0 && helperKeyboard !== undefined;
    const helper = isForFocus ? new HelperKeyboard(helperKeyboard, runner) : undefined;
    const { putBack } = this;
    const typer = new TextTyper({ keys, clipboard, putBack, helper, clock, readTree: readTyped });
    const readShape = (signal: AbortSignal) => this.#recent.shape(display, signal);
    const input = new InputRouter({ channel, keys, clock, readShape });
    const screen: DeviceScreen = {
      status,
      readTree,
      capture: (request, signal) => capture.capture(request, signal),
      readText: (signal) => readScreenText({ capture, reader }, signal),
      foreground: (signal) => apps.foreground(signal, display),
      tap: (point, signal) => input.tap(point, signal),
      doubleTap: (point, signal) => input.doubleTap(point, signal),
      swipe: (from, to, durationMs, signal) => input.swipe(from, to, durationMs, signal),
      pinch: (centre, scale, signal) => input.pinch(centre, scale, signal),
      pressKey: (key, signal) => input.pressKey(key, signal),
      typeText: (text, signal) => typer.type(text, signal),
    };
    return { screen, channel, clipboard, keys };
  }
}
