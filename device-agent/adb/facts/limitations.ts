import type { DeviceFacts } from "../../../shared/device.ts";
import { missingAddOn } from "../../ocr/add-on.ts";
import type { TextReader } from "../../ocr/text-reader.ts";
import type { ScrcpyChannel } from "../scrcpy/scrcpy-channel.ts";

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
const channelTools = ["read_clipboard", "set_clipboard", "pinch"];
/** scrcpy 3 needs Android 5. */
const SCRCPY_SDK = 21;

/** A reason why tools do not work, and what a person can do about it. */
export interface Limitation {
  tools: string[];
  reason: string;
  fix: string;
  /** Where the reason lies: at every phone of this device agent, or at this one. */
  at: "device agent" | "phone";
}

/** What cannot work on one phone, as far as it has shown by now. */
export class Limitations {
  readonly #channel: Pick<ScrcpyChannel, "impossible" | "hasServer" | "checkServer">;
  readonly #textReader: Pick<TextReader, "missing"> | undefined;
  #inputRefused = false;

  constructor(
    channel: Pick<ScrcpyChannel, "impossible" | "hasServer" | "checkServer">,
    textReader?: Pick<TextReader, "missing">,
  ) {
    this.#channel = channel;
    this.#textReader = textReader;
  }

  inputRefused(): void {
    this.#inputRefused = true;
  }

  /** One entry for each tool, as callers are told. */
  async list(sdk: number): Promise<DeviceFacts["limitations"]> {
    const found = await this.find({ sdk, manufacturer: "" });
    return found.flatMap(({ tools, reason }) => tools.map((tool) => ({ tool, reason })));
  }

  async find(phone: { sdk: number; manufacturer: string }): Promise<Limitation[]> {
    const found = [await this.#channelLimitation(phone.sdk)];
    const noText = this.#textReader ? await this.#textReader.missing() : missingAddOn;
    if (noText !== undefined) {
      const fix = "Install the add-on if text in pictures is to be read; everything else works without it.";
      found.push({ tools: ["read_text"], reason: noText, fix, at: "device agent" });
    }
    if (this.#inputRefused) {
      const fix = inputSwitch(phone.manufacturer);
      found.push({ tools: inputTools, reason: "The phone has refused injected input.", fix, at: "phone" });
    }
    return found.filter((one) => one !== undefined);
  }

  async #channelLimitation(sdk: number): Promise<Limitation | undefined> {
    await this.#channel.checkServer();
    const noChannel = this.#channel.impossible?.message;
    if (noChannel !== undefined) {
      const at = this.#channel.hasServer ? "phone" : "device agent";
      const fix =
        at === "phone"
          ? "Nothing to switch: this phone stops it. Text of plain ASCII is typed without it."
          : "Install Farhand's packages anew with npm ci, or give --scrcpy-server FILE.";
      return { tools: channelTools, reason: noChannel, fix, at };
    }
    if (sdk <= 0 || sdk >= SCRCPY_SDK) return undefined;
    const reason = "The helper program (scrcpy) needs Android 5 or newer.";
    return { tools: channelTools, reason, fix: "Use a newer phone where these tools are needed.", at: "phone" };
  }
}

/** Under which name vendors hide the permission to send input by USB debugging. */
const inputSwitches: [maker: RegExp, fix: string][] = [
  [
    /xiaomi|redmi|poco/i,
    'Switch on "USB debugging (Security settings)" in Developer options (it wants a SIM card and a Mi account), then restart the phone.',
  ],
  [/oppo|realme|oneplus/i, 'Switch on "Disable permission monitoring" in Developer options, then restart the phone.'],
  [/vivo|iqoo/i, 'Switch on "USB debugging (Security settings)" in Developer options, then restart the phone.'],
];

function inputSwitch(manufacturer: string): string {
  const known = inputSwitches.find(([maker]) => maker.test(manufacturer));
  return (
    known?.[1] ?? "Look in Developer options for a switch that lets USB debugging send input, then restart the phone."
  );
}
