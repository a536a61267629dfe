import type { DeviceFacts } from "../../../shared/device.ts";
import type { Clipboard } from "../text/clipboard.ts";

const inputTools = [
  "tap",
  "tap_text",
  "tap_element",
  "long_press",
  "double_tap",
  "swipe",
  "pinch",
  "press_key",
  "type_text",
  "wake",
  "sleep",
];
const clipboardTools = ["read_clipboard", "set_clipboard"];
/** scrcpy 3 needs Android 5. */
const SCRCPY_SDK = 21;

/** What cannot work on one phone, as far as it has shown by now. */
export class Limitations {
  readonly #clipboard: Pick<Clipboard, "impossible" | "checkServer">;
  #inputRefused = false;

  constructor(clipboard: Pick<Clipboard, "impossible" | "checkServer">) {
    this.#clipboard = clipboard;
  }

  inputRefused(): void {
    this.#inputRefused = true;
  }

  async list(sdk: number): Promise<DeviceFacts["limitations"]> {
    const reasons: DeviceFacts["limitations"] = [];
    const all = (tools: string[], reason: string) => reasons.push(...tools.map((tool) => ({ tool, reason })));
    await this.#clipboard.checkServer();
    const noClipboard = this.#clipboard.impossible?.message;
    if (noClipboard !== undefined) all(clipboardTools, noClipboard);
    else if (sdk > 0 && sdk < SCRCPY_SDK) all(clipboardTools, "The clipboard helper needs Android 5 or newer.");
    if (this.#inputRefused) all(inputTools, "The phone has refused injected input.");
    return reasons;
  }
}
