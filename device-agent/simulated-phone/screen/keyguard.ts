import type { KeyguardKind } from "../options.ts";
import type { View } from "./view.ts";
import { button, column, icon, label, row, space } from "./widgets.ts";

/** The lock screen. It comes up when the phone goes to sleep and hides behind a swipe, a PIN, or nothing. */
export interface Keyguard {
  readonly kind: KeyguardKind;
  isShowing(): boolean;
  isSecure(): boolean;
  /** The PIN pad is open. */
  isBouncerShowing(): boolean;
  lock(): void;
  /** True when it is gone afterwards; a secret opens the PIN pad instead. */
  requestDismiss(): boolean;
  hideBouncer(): boolean;
  typeDigits(text: string): void;
  backspace(): void;
  submit(): void;
  view(time: string, date: string): View;
}

const ID = "com.android.systemui:id";
const WHITE = "#ffffff";

export interface KeyguardDependencies {
  readonly kind: KeyguardKind;
  readonly pin: string;
  /** How long it takes to go away. */
  readonly leavesAfterMs: number;
  schedule(ms: number, action: () => void): void;
  onChange(): void;
}

export function createKeyguard(dependencies: KeyguardDependencies): Keyguard {
  const { kind, pin, leavesAfterMs, onChange } = dependencies;
  let locks = 0;
  let isShowing = false;
  let isBouncerShowing = false;
  let entered = "";
  let message = "Enter your PIN";

  function open(): void {
    isShowing = false;
    isBouncerShowing = false;
    entered = "";
    message = "Enter your PIN";
  }

  /** A phone that was locked again in the meantime stays locked. */
  function leave(): void {
    const lock = locks;
    if (leavesAfterMs <= 0) {
      open();
      return;
    }
    dependencies.schedule(leavesAfterMs, () => {
      if (locks !== lock) return;
      open();
      onChange();
    });
  }

  const keyguard: Keyguard = {
    kind,
    isShowing: () => isShowing,
    isSecure: () => kind === "pin",
    isBouncerShowing: () => isShowing && isBouncerShowing,
    lock() {
      open();
      locks++;
      isShowing = kind !== "none";
      onChange();
    },
    requestDismiss() {
      if (!isShowing) return true;
      if (kind === "pin") isBouncerShowing = true;
      else leave();
      onChange();
      return !isShowing;
    },
    hideBouncer() {
      const wasShowing = isShowing && isBouncerShowing;
      isBouncerShowing = false;
      entered = "";
      if (wasShowing) onChange();
      return wasShowing;
    },
    typeDigits(text) {
      if (!isBouncerShowing) return;
      entered += text.replace(/\D/g, "");
      onChange();
    },
    backspace() {
      entered = entered.slice(0, -1);
      onChange();
    },
    submit() {
      if (!isBouncerShowing || entered === "") return;
      if (entered === pin) leave();
      else message = "Wrong PIN. Try again.";
      entered = "";
      onChange();
    },
    view: (time, date) => (isBouncerShowing ? bouncer() : clockFace(time, date)),
  };

  function clockFace(time: string, date: string): View {
    return column(
      [
        label(date, { size: 17, color: WHITE, weight: 500 }, { id: `${ID}/date` }),
        label(time, { size: 88, color: WHITE, weight: 300 }, { id: `${ID}/lockscreen_clock_view`, description: time }),
        space(),
        icon("lock", 26, WHITE, { id: `${ID}/lock_icon`, description: kind === "pin" ? "Locked" : "Unlocked" }),
        label(
          "Swipe up to open",
          { size: 14, color: WHITE },
          { id: `${ID}/keyguard_indication_text`, margin: { top: 14 } },
        ),
      ],
      { id: `${ID}/keyguard_status_view`, height: "fill", align: "center", padding: { top: 96, bottom: 84 } },
    );
  }

  function bouncer(): View {
    const digit = (text: string): View =>
      label(
        text,
        { size: 30, color: WHITE, align: "center" },
        {
          id: `${ID}/key${text}`,
          className: "android.view.ViewGroup",
          description: text,
          width: 76,
          height: 64,
          look: { background: "rgba(255,255,255,0.16)", radius: 32 },
          onClick: () => keyguard.typeDigits(text),
        },
      );
    const line = (keys: readonly View[]) => row(keys, { width: "wrap", gap: 18 });
    const bullets = entered === "" ? " " : "•".repeat(entered.length);
    return column(
      [
        icon("lock", 26, WHITE),
        label(message, { size: 18, color: WHITE }, { id: `${ID}/bouncer_message_area` }),
        label(
          bullets,
          { size: 34, color: WHITE, align: "center" },
          { className: "android.widget.EditText", id: `${ID}/pinEntry`, width: 240 },
        ),
        ...["123", "456", "789"].map((digits) => line([...digits].map(digit))),
        line([
          button("⌫", `${ID}/delete_button`, keyguard.backspace, "tonal", {
            width: 76,
            height: 64,
            description: "Delete",
          }),
          digit("0"),
          button("OK", `${ID}/key_enter`, keyguard.submit, "tonal", { width: 76, height: 64, description: "Enter" }),
        ]),
      ],
      { id: `${ID}/keyguard_pin_view`, height: "fill", align: "center", justify: "center", gap: 16 },
    );
  }

  return keyguard;
}
