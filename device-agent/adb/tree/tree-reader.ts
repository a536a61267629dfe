import { type Clock, pause } from "../../../shared/clock.ts";
import type { ScreenStatus, UiTree } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { withDeadline } from "../shell/deadline.ts";
import { commandLine, quote } from "../shell/quote.ts";
import { dumpFailure } from "./dump-failure.ts";
import { parseDump } from "./parse-dump.ts";

export interface TreeReaderParts {
  runner: CommandRunner;
  clock: Clock;
  random: () => number;
  readStatus(display: number, signal: AbortSignal): Promise<ScreenStatus>;
  /** Whether something on another display may have the focus, as of the last status; a plain dump would tell that. */
  hasAppsElsewhere(): boolean;
}

/** However often a dump is repeated, the caller has an answer by then. */
const WHOLE_MS = 14_000;
const ATTEMPTS = 3;
const PAUSE_MS = 400;
/** Where a shell user may write; the second is for phones that refuse the first. */
const folders = ["/data/local/tmp", "/sdcard"];

interface Running {
  result: Promise<UiTree>;
  begun: boolean;
  waiting: number;
  stop: AbortController;
}

/**
 * Trees of one phone. A phone makes one dump at a time, and each begins after it was asked for: who asks while a dump
 * runs waits for the next one, and all who wait for one display share it.
 */
export class TreeReader {
  readonly #parts: TreeReaderParts;
  #last: Promise<unknown> = Promise.resolve();
  readonly #next = new Map<number, Running>();
  #folder = 0;
  readonly #name: string;
  #count = 0;

  constructor(parts: TreeReaderParts) {
    this.#parts = parts;
    this.#name = Math.floor(parts.random() * 2 ** 40).toString(16);
  }

  async read(display: number, signal: AbortSignal): Promise<UiTree> {
    if (signal.aborted) throw abortError(signal);
    const next = this.#next.get(display);
    const shared = next && !next.begun && !next.stop.signal.aborted ? next : this.#queue(display);
    shared.waiting += 1;
    try {
      return await withDeadline(
        { clock: this.#parts.clock, ms: 3 * WHOLE_MS, signal, task: "describe its screen" },
        () => shared.result,
      );
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) shared.stop.abort();
    }
  }

  #queue(display: number): Running {
    const stop = new AbortController();
    const running: Running = { begun: false, waiting: 0, stop, result: Promise.reject(new Error("not begun")) };
    running.result.catch(() => {});
    running.result = this.#last.then(() => {
      running.begun = true;
      if (this.#next.get(display) === running) this.#next.delete(display);
      return this.#dump(display, stop.signal);
    });
    this.#last = running.result.catch(() => {});
    this.#next.set(display, running);
    return running;
  }

  async #dump(display: number, signal: AbortSignal): Promise<UiTree> {
    const { clock } = this.#parts;
    let failure: unknown = new CodedError("ui_unavailable", "The phone gave no tree of the screen.");
    const limit = { clock, ms: WHOLE_MS, signal, task: "describe its screen" };
    return withDeadline(limit, async (own) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (attempt > 0) await pause(clock, PAUSE_MS, own);
        try {
          return await this.#dumpOnce(display, own);
        } catch (error) {
          if (!(error instanceof CodedError && /^ui_/.test(error.code))) throw error;
          failure = error;
        }
      }
      throw failure;
    }).catch((error: unknown) => {
      // Time that ran out while the screen kept moving is better told by what the phone said.
      const isLate = error instanceof CodedError && error.code === "deadline_exceeded";
      throw isLate && failure instanceof CodedError && failure.cause !== undefined ? failure : error;
    });
  }

  async #dumpOnce(display: number, signal: AbortSignal): Promise<UiTree> {
    const ofAll = display !== 0 || this.#parts.hasAppsElsewhere();
    const dump = this.#readDump(display, ofAll, signal);
    dump.catch(() => {});
    const status = await this.#parts.readStatus(display, signal);
    if (!status.awake) throw new CodedError("screen_off", "The screen is off.");
    const tree = await dump;
    // Only now it shows that this may be the tree of another display.
    if (!ofAll && this.#parts.hasAppsElsewhere()) return this.#dumpOnce(display, signal);
    if (!tree.ok) throw tree.failure;
    const shape = tree.rotation === status.rotation ? status : await this.#parts.readStatus(display, signal);
    if (tree.rotation !== shape.rotation) {
      throw new CodedError("ui_not_idle", "The phone was being turned.", { cause: "rotation differs" });
    }
    return { size: shape.size, rotation: shape.rotation, nodes: tree.nodes };
  }

  async #readDump(display: number, ofAll: boolean, signal: AbortSignal) {
    // One name for each dump, so that one given up earlier, which may still write, is never taken for this one.
    const prefix = `${folders[this.#folder]}/farhand-${this.#name}-`;
    const file = `${prefix}${this.#count++}.xml`;
    const removeAll = `rm -f ${quote(prefix)}*.xml`;
    // Older phones do not know the option, pass over it and describe what has the focus.
    const words = ofAll ? ["--windows", file] : [file];
    const [, said = "", xml = ""] = await this.#parts.runner.sections(
      [removeAll, commandLine("uiautomator", "dump", ...words), `${commandLine("cat", file)}; ${removeAll}`],
      { signal, timeoutMs: WHOLE_MS, task: "describe its screen" },
    );
    const parsed = parseDump(xml, display);
    if (parsed.ok && parsed.nodes.length > 0)
      return { ok: true as const, nodes: parsed.nodes, rotation: parsed.rotation };
    const cannotWrite = /Permission denied|Read-only|EACCES|EROFS/.test(`${said}${xml}`);
    if (cannotWrite) this.#folder = (this.#folder + 1) % folders.length;
    return { ok: false as const, failure: dumpFailure(said, xml, parsed) };
  }
}
