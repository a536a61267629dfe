import { fileURLToPath } from "node:url";
import type { Clock } from "../../shared/clock.ts";
import type { TextBox } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { Pixels } from "../pictures/pixels.ts";
import { cannotRun, findAddOn, missingAddOn, notInstalled } from "./add-on.ts";
import { ReaderFailure } from "./reader-failure.ts";
import { ReaderProcess } from "./reader-process.ts";
import type { TextReader } from "./text-reader.ts";

export interface ProcessTextReaderOptions {
  /** The folder in which the add-on is installed. */
  ocrDir: string;
  clock: Clock;
  logger: Logger;
  /** The built `reader-program`; the one beside this file when left out. */
  program?: string;
}

/** With the one that is read. Each holds a frame of some 10 MB. */
const mostWaiting = 5;
/** Then the process ends, and its memory with it. To start it again takes about half a second. */
const idleMs = 120_000;
/** Then a machine on which the models could not be loaded is tried again: memory may have been short. */
const unusableMs = 60_000;
/** How long the process may take to notice that a picture is no longer wanted. */
const letGoMs = 3_000;
/** A screen of 8K has more; no phone has. */
const mostPixels = 32_000_000;

/** Reads texts in a process of its own, which starts with the first picture and ends when none came for a while. */
export function createProcessTextReader(options: ProcessTextReaderOptions): TextReader {
  return new ProcessTextReader(options);
}

class ProcessTextReader implements TextReader {
  readonly #options: ProcessTextReaderOptions;
  #process: ReaderProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #callOffIdle = () => {};
  /** The add-on is there but could not be loaded; nothing is tried until then. */
  #unusableUntil = 0;

  constructor(options: ProcessTextReaderOptions) {
    this.#options = options;
  }

  async missing(): Promise<string | undefined> {
    if (!findAddOn(this.#options.ocrDir)) return missingAddOn;
    return this.#options.clock.now() < this.#unusableUntil ? cannotRun : undefined;
  }

  async read(image: Pixels, signal: AbortSignal): Promise<TextBox[]> {
    signal.throwIfAborted();
    if (!findAddOn(this.#options.ocrDir)) throw notInstalled();
    const { width, height } = image.size;
    if (width * height > mostPixels) throw new CodedError("too_large", "The screen has too many pixels to read.");
    if (width * height === 0) return [];
    if (this.#waiting >= mostWaiting) {
      throw new CodedError("device_busy", "Too many screens wait to be read.", { retryAfterMs: 2_000 });
    }
    this.#waiting++;
    const work = this.#turn.then(() => (signal.aborted ? [] : this.#readNow(image, signal)));
    this.#turn = work
      .catch(() => {})
      .finally(() => {
        this.#waiting--;
      });
    return orAborted(work, signal);
  }

  close(): void {
    this.#callOffIdle();
    this.#process?.stop();
    this.#process = undefined;
  }

  async #readNow(image: Pixels, signal: AbortSignal): Promise<TextBox[]> {
    this.#callOffIdle();
    const process = this.#running();
    let callOffKill = () => {};
    const onAbort = () => {
      process.cancel();
      callOffKill = this.#options.clock.after(letGoMs, () => process.stop());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await process.read(image);
    } catch (thrown) {
      throw this.#failure(thrown);
    } finally {
      signal.removeEventListener("abort", onAbort);
      callOffKill();
      this.#callOffIdle = this.#options.clock.after(idleMs, () => this.close());
    }
  }

  #running(): ReaderProcess {
    const { program = fileURLToPath(new URL("reader-program.js", import.meta.url)), ocrDir } = this.#options;
    if (this.#process === undefined || this.#process.hasEnded) this.#process = new ReaderProcess(program, ocrDir);
    return this.#process;
  }

  #failure(thrown: unknown): CodedError {
    const kind = thrown instanceof ReaderFailure ? thrown.kind : "failed";
    this.#options.logger.warn("reading text from pixels failed", { kind, cause: thrown });
    if (kind !== "unusable") {
      return new CodedError("internal", "Reading text from pixels went wrong at the device agent.", {
        hint: "Try again; meanwhile use take_screenshot and coordinates.",
        cause: thrown,
      });
    }
    this.#unusableUntil = this.#options.clock.now() + unusableMs;
    return notInstalled(cannotRun, thrown);
  }
}

/** The caller gets its answer at once, while the process is still told. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
