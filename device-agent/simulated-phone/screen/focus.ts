import { findView, focusTitle, titleOf } from "./compose.ts";
import { type KeyboardActions, keyboardView } from "./keyboard.ts";
import type { TaskStack } from "./task-stack.ts";
import type { TextField } from "./text-field.ts";
import type { View } from "./view.ts";

/** Which view has the focus in each window, and where the soft keyboard is open. */
export interface Focus {
  /** Key of the focused view, if it is on the screen. */
  key(): string | undefined;
  field(): TextField | undefined;
  isKeyboardShown(): boolean;
  /** Title of the app or dialog that keys go to. */
  targetTitle(): string;
  set(title: string, key: string, opensKeyboard: boolean): void;
  /** True when the keyboard was open. */
  hideKeyboard(): boolean;
  keyboardFor(title: string, root: View): View | undefined;
  clear(): void;
}

export interface FocusDependencies {
  readonly tasks: TaskStack;
  /** The lock screen or the shade lies over the apps. */
  isCovered(): boolean;
  /** A soft keyboard opens for fields. */
  readonly hasKeyboard: boolean;
  readonly keyboard: KeyboardActions;
  onChange(): void;
}

export function createFocus({ tasks, isCovered, hasKeyboard, keyboard, onChange }: FocusDependencies): Focus {
  const keys = new Map<string, string>();
  const layer = { layer: "letters" as "letters" | "symbols", isShifted: false };
  let keyboardOwner: string | undefined;

  /** The focused app or dialog, without what lies above all apps. */
  function target(): { title: string; root: View } {
    const task = tasks.foreground();
    const overlay = task.app.overlay?.();
    return { title: focusTitle(titleOf(task), overlay?.kind), root: overlay?.root ?? task.app.content() };
  }

  function view(): View | undefined {
    if (isCovered()) return undefined;
    const { title, root } = target();
    const key = keys.get(title);
    return key === undefined ? undefined : findView(root, key);
  }

  function isKeyboardShown(): boolean {
    return (
      keyboardOwner !== undefined && !isCovered() && keyboardOwner === target().title && view()?.field !== undefined
    );
  }

  return {
    key: () => (view() ? keys.get(target().title) : undefined),
    field: () => view()?.field,
    isKeyboardShown,
    targetTitle: () => target().title,
    set(title, key, opensKeyboard) {
      keys.set(title, key);
      if (opensKeyboard && hasKeyboard) keyboardOwner = title;
      onChange();
    },
    hideKeyboard() {
      const wasShown = isKeyboardShown();
      keyboardOwner = undefined;
      onChange();
      return wasShown;
    },
    keyboardFor(title, root) {
      const key = keys.get(title);
      const field = key === undefined ? undefined : findView(root, key)?.field;
      return field && keyboardOwner === title ? keyboardView(layer, field.isNumeric, keyboard) : undefined;
    },
    clear() {
      keys.clear();
      keyboardOwner = undefined;
    },
  };
}
