import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { findPng } from "../../pictures/find-png.ts";
import type { Frame } from "../../pictures/picture-encoder.ts";
import { readRawFrame } from "../../pictures/raw-frame.ts";
import { adbFailure } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";

const unzip = promisify(gunzip);
type Way = "png" | "raw";
const CAPTURE_MS = 12_000;

/**
 * Takes whole frames from `screencap`. The first is a PNG made on the phone, the second raw pixels packed with gzip;
 * both are timed, and the faster way stays.
 */
export class CaptureSource {
  readonly #runner: CommandRunner;
  readonly #clock: Clock;
  readonly #took = new Map<Way, number>();

  constructor(runner: CommandRunner, clock: Clock) {
    this.#runner = runner;
    this.#clock = clock;
  }

  /** Throws `screenshot_failed` when the frame is not whole, and what the runner throws. */
  async take(displayId: string | undefined, signal: AbortSignal): Promise<Frame> {
    const way = this.#chosen();
    const startedAt = this.#clock.now();
    try {
      const frame = way === "png" ? await this.#png(displayId, signal) : await this.#raw(displayId, signal);
      if (!this.#took.has(way)) this.#took.set(way, this.#clock.now() - startedAt);
      return frame;
    } catch (error) {
      if (way === "raw") this.#took.set("raw", Number.POSITIVE_INFINITY);
      throw error;
    }
  }

  #chosen(): Way {
    const png = this.#took.get("png");
    const raw = this.#took.get("raw");
    if (png === undefined) return "png";
    return raw === undefined || raw < png ? "raw" : "png";
  }

  async #png(displayId: string | undefined, signal: AbortSignal): Promise<Frame> {
    const { stdout, exitCode } = await this.#run(screencap(displayId, "-p"), signal);
    const png = findPng(stdout);
    if (png.ok) return { kind: "png", bytes: png.bytes };
    throw notWhole(`${png.reason}; exit ${exitCode}, ${stdout.length} bytes: ${firstLine(stdout)}`);
  }

  async #raw(displayId: string | undefined, signal: AbortSignal): Promise<Frame> {
    const { stdout } = await this.#run(`${screencap(displayId)} | gzip -1`, signal);
    const bytes = await unzip(stdout).catch((error: unknown) => {
      throw notWhole(error);
    });
    const frame = readRawFrame(bytes);
    if (frame) return frame;
    throw notWhole(`${bytes.length} bytes that are no raw frame`);
  }

  #run(command: string, signal: AbortSignal) {
    return this.#runner
      .run(command, { signal, timeoutMs: CAPTURE_MS, task: "take a picture of its screen" })
      .catch((error) => {
        throw adbFailure(error);
      });
  }
}

const screencap = (displayId: string | undefined, ...options: string[]) =>
  commandLine("screencap", ...options, ...(displayId === undefined ? [] : ["-d", displayId]));

const notWhole = (cause: unknown) => new CodedError("screenshot_failed", "The phone gave no whole picture.", { cause });

function firstLine(bytes: Uint8Array): string {
  return (
    Buffer.from(bytes.subarray(0, 200))
      .toString("latin1")
      .split("\n")[0]
      ?.replace(/[^ -~]/g, ".") ?? ""
  );
}
