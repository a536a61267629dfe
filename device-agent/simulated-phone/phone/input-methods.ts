import type { PhoneProfile } from "../options.ts";
import { KEYBOARD_COMPONENT } from "../screen/window.ts";
import type { SettingsStore } from "./settings-store.ts";

/** The keyboards that are installed. Which may be used, and which one is, stands in the settings, as on phones. */
export interface InputMethods {
  readonly available: readonly string[];
  enabled(): readonly string[];
  /** "" when none is chosen. */
  current(): string;
  /** The one that fields are connected to; after a change there is none for a moment. */
  bound(): string | undefined;
  enable(id: string): void;
  /** Another one is chosen when it was the current one. */
  disable(id: string): void;
  select(id: string): void;
}

/** com.android.adbkeyboard: types what broadcasts bring. */
export const HELPER_KEYBOARD = "com.android.adbkeyboard/.AdbIME";
const VOICE_IME =
  "com.google.android.tts/com.google.android.apps.speech.tts.googletts.settings.asr.voiceime.VoiceInputMethodService";
/** Until the system has started an input method and connected it. */
const BIND_MS = { small: 20, real: 400 } as const;

export function createInputMethods(profile: PhoneProfile, settings: SettingsStore): InputMethods {
  const { clock, latency, helperKeyboard } = profile;
  const available = [KEYBOARD_COMPONENT, VOICE_IME, ...(helperKeyboard ? [HELPER_KEYBOARD] : [])];
  let last = { id: KEYBOARD_COMPONENT, since: Number.NEGATIVE_INFINITY };

  const setEnabled = (ids: readonly string[]) => settings.put("secure", "enabled_input_methods", ids.join(":"));
  const enabled = () => {
    // Subtypes follow behind a semicolon.
    const ids = (settings.get("secure", "enabled_input_methods") ?? "").split(":").map((id) => id.split(";")[0] ?? "");
    return available.filter((id) => ids.includes(id));
  };
  function current(): string {
    const chosen = settings.get("secure", "default_input_method") ?? "";
    const id = enabled().includes(chosen) ? chosen : (enabled()[0] ?? "");
    if (id !== last.id) last = { id, since: clock.now() };
    return id;
  }
  function select(id: string): void {
    settings.put("secure", "default_input_method", id);
    current();
  }

  setEnabled([KEYBOARD_COMPONENT]);
  select(KEYBOARD_COMPONENT);
  return {
    available,
    enabled,
    current,
    bound() {
      const id = current();
      return id !== "" && clock.now() - last.since >= BIND_MS[latency] ? id : undefined;
    },
    enable: (id) => setEnabled([...new Set([...enabled(), id])]),
    disable(id) {
      const wasCurrent = current() === id;
      setEnabled(enabled().filter((one) => one !== id));
      if (wasCurrent) select(enabled()[0] ?? "");
    },
    select,
  };
}
