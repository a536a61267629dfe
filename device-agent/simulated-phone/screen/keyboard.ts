import type { IconName } from "../draw/icons.ts";
import { centerOf, rectOf } from "./geometry.ts";
import type { View } from "./view.ts";
import { THEME } from "./widgets.ts";

/** Which keys the soft keyboard shows. */
export interface KeyboardState {
  layer: "letters" | "symbols";
  isShifted: boolean;
}

export interface KeyboardActions {
  type(text: string): void;
  backspace(): void;
  enter(): void;
  changed(): void;
}

const LETTERS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const SYMBOLS = ["1234567890", "@#$_&-+()", `*"':;!?`];

/** The keyboard of the input method, in rows of keys that can be touched. */
export function keyboardView(state: KeyboardState, isNumeric: boolean, actions: KeyboardActions): View {
  const rows = isNumeric ? numericRows(actions) : textRows(state, actions);
  return {
    className: "android.widget.FrameLayout",
    id: "keyboard_holder",
    direction: "column",
    width: "fill",
    height: "fill",
    padding: { left: 4, right: 4, top: 10, bottom: 6 },
    gap: 8,
    look: { background: "#e8e8f0" },
    children: rows.map((keys) => ({
      className: "android.widget.LinearLayout",
      direction: "row",
      width: "fill",
      weight: 1,
      height: "fill",
      justify: "center",
      gap: 5,
      children: keys,
    })),
  };
}

function textRows(state: KeyboardState, actions: KeyboardActions): View[][] {
  const isLetters = state.layer === "letters";
  const characters = (isLetters ? LETTERS : SYMBOLS).map((line) =>
    [...line].map((character) => {
      const shown = isLetters && state.isShifted ? character.toUpperCase() : character;
      return key(shown, () => {
        state.isShifted = false;
        actions.type(shown);
      });
    }),
  );
  const shift = iconKey("shift", state.isShifted ? "Shift on" : "Shift", 1.4, () => {
    state.isShifted = !state.isShifted;
    actions.changed();
  });
  const layer = key(
    isLetters ? "?123" : "ABC",
    () => {
      state.layer = isLetters ? "symbols" : "letters";
      actions.changed();
    },
    1.5,
    "#cdd3ea",
  );
  const [first = [], second = [], third = []] = characters;
  return [
    first,
    [gap(0.5), ...second, gap(0.5)],
    [...(isLetters ? [shift] : [gap(1.4)]), ...third, iconKey("backspace", "Delete", 1.4, actions.backspace)],
    [
      layer,
      key(",", () => actions.type(",")),
      key("Space", () => actions.type(" "), 4.6, "#ffffff"),
      key(".", () => actions.type(".")),
      iconKey("enter", "Enter", 1.5, actions.enter, THEME.primary, THEME.onPrimary),
    ],
  ];
}

function numericRows(actions: KeyboardActions): View[][] {
  const digit = (character: string) => key(character, () => actions.type(character));
  return [
    [..."123"].map(digit),
    [..."456"].map(digit),
    [..."789"].map(digit),
    [
      iconKey("backspace", "Delete", 1, actions.backspace),
      digit("0"),
      iconKey("enter", "Enter", 1, actions.enter, THEME.primary, THEME.onPrimary),
    ],
  ];
}

const gap = (weight: number): View => ({ className: "android.view.View", weight, width: 0, height: 0 });

function key(text: string, onClick: () => void, weight = 1, background = "#ffffff"): View {
  return {
    className: "android.widget.FrameLayout",
    description: text,
    weight,
    width: "fill",
    height: "fill",
    look: { background, radius: 8, elevation: 1 },
    onClick,
    paint(painter, bounds) {
      const style = { size: text.length > 1 ? 15 : 22, weight: 400, color: THEME.onSurface };
      const center = centerOf(bounds);
      // Keys are drawn, not laid out: their letters are no text for accessibility, as on real keyboards.
      const width = painter.textWidth(text, style);
      painter.text(text, center.x - width / 2, center.y + style.size * painter.scale * 0.36, style);
    },
  };
}

function iconKey(
  name: IconName,
  description: string,
  weight: number,
  onClick: () => void,
  background = "#cdd3ea",
  color: string = THEME.onSurface,
): View {
  return {
    className: "android.widget.FrameLayout",
    description,
    weight,
    width: "fill",
    height: "fill",
    look: { background, radius: 8, elevation: 1 },
    onClick,
    paint(painter, bounds) {
      const center = centerOf(bounds);
      const size = 22 * painter.scale;
      painter.icon(name, rectOf(center.x - size / 2, center.y - size / 2, size, size), color);
    },
  };
}
