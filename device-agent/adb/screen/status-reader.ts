import type { OtherDisplay, ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { displayBlocks } from "./display-block.ts";
import { keyboardCommand, parseKeyboard } from "./keyboard.ts";
import { parseCurrentSize, parseRotation, parseStatus, type ScreenState, statusCommands } from "./screen-status.ts";

export interface SeenScreen {
  status: ScreenStatus;
  /** An app is in front on another display than the main one. */
  hasAppsElsewhere: boolean;
  /** Where keys go. */
  focusedDisplay: number;
}

/** Reads a display's state anew, in one round trip (two on phones before Android 5). Throws `target_not_found`. */
export async function readStatus(runner: CommandRunner, display: number, signal: AbortSignal): Promise<SeenScreen> {
  const options = { signal, timeoutMs: 8000, task: "tell its screen's state" };
  const [inputMethod = "", ...answers] = await runner.sections([keyboardCommand, ...statusCommands], options);
  const main = parseStatus(answers) ?? parseStatus([...answers, ...(await runner.sections(["wm size"], options))]);
  if (!main) {
    throw new CodedError("unsupported", "The phone does not tell the size of its screen.", {
      cause: answers.join("\n").slice(0, 500),
    });
  }
  const blocks = displayBlocks(answers[1] ?? "");
  const others = otherDisplays(blocks);
  const state = display === 0 ? main : stateOf(display, main, others);
  const keyboard = state.awake ? parseKeyboard(inputMethod, blocks.get(display) ?? answers[1] ?? "", display) : [];
  return {
    status: { ...state, keyboard, ...(others.length > 0 && { otherDisplays: others }) },
    hasAppsElsewhere: [...blocks].some(([id, block]) => id !== 0 && showsApp.test(block)),
    focusedDisplay: [...blocks].find(([, block]) => hasFocus.test(block))?.[0] ?? 0,
  };
}

/** Only the display on top keeps its focused window, so that the app counts too. Mirrors of the main display have none. */
const showsApp = /\bm(?:CurrentFocus=Window|FocusedApp=\w+)\{/;
const hasFocus = /\bmCurrentFocus=Window\{/;

function otherDisplays(blocks: ReadonlyMap<number, string>): OtherDisplay[] {
  const found = [...blocks].flatMap(([id, block]) => {
    const size = parseCurrentSize(block);
    return id === 0 || !size ? [] : [{ id, size, rotation: parseRotation(block) ?? 0 }];
  });
  return found.sort((a, b) => a.id - b.id);
}

/** Power and keyguard are those of the phone. */
function stateOf(display: number, main: ScreenState, others: readonly OtherDisplay[]): ScreenState {
  const found = others.find(({ id }) => id === display);
  if (found) return { ...main, size: found.size, rotation: found.rotation };
  const there = [0, ...others.map(({ id }) => id)].join(", ");
  throw new CodedError("target_not_found", `The phone has no display ${display} now; it has ${there}.`, {
    hint: "Run device_info to see its displays; the main one needs no number.",
  });
}
