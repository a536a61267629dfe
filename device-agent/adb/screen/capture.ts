import type { Clock } from "../../../shared/clock.ts";
import type { Picture, PictureRequest, ScreenShape, ScreenStatus, Size } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { limits } from "../../../shared/limits.ts";
import type { Logger } from "../../../shared/log.ts";
import type { Frame, PictureEncoder } from "../../pictures/picture-encoder.ts";
import { blackShare, type Pixels } from "../../pictures/pixels.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { CaptureSource } from "./capture-source.ts";
import { parseDefaultPanel, parsePanel, parsePhysicalDisplays } from "./displays.ts";
import { isFocusedWindowSecure } from "./secure-window.ts";

export interface ScreenCaptureParts {
  runner: CommandRunner;
  clock: Clock;
  logger: Logger;
  encoder: PictureEncoder;
  /** Android's number of the display; left out: the main one. */
  display?: number;
  readStatus(signal: AbortSignal): Promise<ScreenStatus>;
}

export interface ScreenPixels extends ScreenShape {
  pixels: Pixels;
  black: boolean;
}

/** From this part on a black picture may be that of a window that forbids pictures, between its status bars. */
const SUSPICIOUSLY_BLACK = 0.6;

/** Pictures of one display of one phone. */
export class ScreenCapture {
  readonly #parts: ScreenCaptureParts;
  readonly #source: CaptureSource;
  readonly #display: number;
  /** Undefined: not asked yet. Null: there is one panel, which needs no name. */
  #panel: string | null | undefined;

  constructor(parts: ScreenCaptureParts) {
    this.#parts = parts;
    this.#source = new CaptureSource(parts.runner, parts.clock);
    this.#display = parts.display ?? 0;
  }

  async capture(request: PictureRequest, signal: AbortSignal): Promise<Picture> {
    const encode = (frame: Frame) => this.#parts.encoder.encode(frame, { ...request, maxSide: limits.pictureMaxSide });
    const [status, picture] = await this.#look(encode, (encoded) => encoded.native, signal);
    const black = await this.#judgeBlack(picture.blackShare, signal);
    const { bytes, mimeType, size, quality, fingerprint } = picture;
    const native = touchSize(status, picture.native);
    return { bytes, mimeType, ...size, native, rotation: status.rotation, quality, black, fingerprint };
  }

  /** The screen's own pixels, which may be of another size than that in which touches count. Throws as `capture`. */
  async pixels(signal: AbortSignal): Promise<ScreenPixels> {
    const decode = (frame: Frame) => this.#parts.encoder.decode(frame);
    const [status, pixels] = await this.#look(decode, (decoded) => decoded.size, signal);
    const black = await this.#judgeBlack(blackShare(pixels), signal);
    return { pixels, size: touchSize(status, pixels.size), rotation: status.rotation, black };
  }

  /** A frame that is of one moment with the status, as `read` understands it. */
  async #look<T>(
    read: (frame: Frame) => Promise<T>,
    sizeOf: (result: T) => Size,
    signal: AbortSignal,
  ): Promise<[ScreenStatus, T]> {
    let seen = "";
    for (;;) {
      const [status, frame] = await this.#take(signal);
      const result = await read(frame).catch((cause: unknown) => {
        throw new CodedError("screenshot_failed", "The phone's picture could not be read.", { cause });
      });
      const shape = JSON.stringify([status.size, sizeOf(result)]);
      if (sameSize(sizeOf(result), status.size) || shape === seen) return [status, result];
      // The phone was turned in between, or another panel became the main one. A difference that stays is the phone's.
      seen = shape;
      this.#panel = undefined;
    }
  }

  async #take(signal: AbortSignal): Promise<[ScreenStatus, Frame]> {
    const taking = this.#frame(signal);
    taking.catch(() => {});
    const status = await this.#parts.readStatus(signal);
    if (!status.awake) throw new CodedError("screen_off", "The screen is off.");
    try {
      return [status, await taking];
    } catch (error) {
      if (!isFailedPicture(error)) throw error;
      await this.#refuseSecure(signal);
      this.#panel = undefined;
      this.#parts.logger.info("a picture was not whole, one more try", { cause: error });
      return [status, await this.#frame(signal)];
    }
  }

  async #frame(signal: AbortSignal): Promise<Frame> {
    const panel = this.#display === 0 ? await this.#mainPanel(signal) : await this.#otherPanel(signal);
    return this.#source.take(panel, signal);
  }

  /** The panel of another display. Asked as seldom as that of the main one. Throws `screen_off`, `unsupported`. */
  async #otherPanel(signal: AbortSignal): Promise<string> {
    if (typeof this.#panel === "string") return this.#panel;
    const options = { signal, timeoutMs: 5000, task: "name its displays" };
    const [displays = ""] = await this.#parts.runner.sections(["dumpsys display"], options);
    const panel = parsePanel(displays, this.#display);
    if (panel?.kind === "off") {
      throw new CodedError("screen_off", "That display is off.", { hint: "Use the main display, or switch it on." });
    }
    if (panel?.kind !== "panel") {
      throw new CodedError("unsupported", "The phone gives no pictures of that display, which has no panel.", {
        hint: "Use read_ui_tree with this display, or the main display.",
        cause: displays.slice(0, 2000),
      });
    }
    this.#panel = panel.id;
    return panel.id;
  }

  /** The panel to name. Asked once, and again when a picture has another size than the screen. */
  async #mainPanel(signal: AbortSignal): Promise<string | undefined> {
    if (this.#panel === undefined) {
      const options = { signal, timeoutMs: 5000, task: "name its displays" };
      const [listed = ""] = await this.#parts.runner.sections(["dumpsys SurfaceFlinger --display-id"], options);
      const panels = parsePhysicalDisplays(listed);
      if (panels.length < 2) this.#panel = null;
      else {
        const [displays = ""] = await this.#parts.runner.sections(["dumpsys display"], options);
        const main = panels.find((panel) => panel.hwc === 0) ?? panels[0];
        this.#panel = parseDefaultPanel(displays) ?? main?.id ?? null;
      }
    }
    return this.#panel ?? undefined;
  }

  /** Whether the picture is black. Throws `screen_secure` when the app in front is the reason. */
  async #judgeBlack(share: number, signal: AbortSignal): Promise<boolean> {
    if (share >= SUSPICIOUSLY_BLACK) await this.#refuseSecure(signal);
    return share >= 0.999;
  }

  async #refuseSecure(signal: AbortSignal): Promise<void> {
    const options = { signal, timeoutMs: 5000, task: "describe its windows" };
    const [windows = ""] = await this.#parts.runner.sections(
      ["dumpsys window windows; dumpsys window displays"],
      options,
    );
    if (isFocusedWindowSecure(windows, this.#display)) {
      throw new CodedError("screen_secure", "The app in front forbids pictures of its screen.");
    }
  }
}

const sameSize = (a: Size, b: Size) => a.width === b.width && a.height === b.height;
/** Some phones give a picture of the panel's size while touches count in the size in force. */
const touchSize = (status: ScreenStatus, picture: Size) => (sameShape(picture, status.size) ? status.size : picture);
const sameShape = (a: Size, b: Size) => Math.abs((a.width * b.height) / (a.height * b.width) - 1) < 0.01;
const isFailedPicture = (error: unknown) => error instanceof CodedError && error.code === "screenshot_failed";
