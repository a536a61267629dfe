import { expect, test } from "vitest";
import { PointerAndKeys } from "../../../device-agent/adb/input/pointer-and-keys.ts";
import type { Clipboard } from "../../../device-agent/adb/text/clipboard.ts";
import { PutBack } from "../../../device-agent/adb/text/put-back.ts";
import { PutBackNotes } from "../../../device-agent/adb/text/put-back-notes.ts";
import { TextTyper } from "../../../device-agent/adb/text/text-typer.ts";
import type { UiNode, UiTree } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, hurried, never, silent } from "./test-parts.ts";

const node: UiNode = {
  className: "android.widget.EditText",
  packageName: "com.example",
  text: "",
  description: "",
  hint: "",
  resourceId: "",
  bounds: { left: 0, top: 0, right: 1, bottom: 1 },
  depth: 0,
  path: "0",
  clickable: true,
  longClickable: false,
  checkable: false,
  checked: false,
  focusable: true,
  focused: true,
  scrollable: false,
  editable: true,
  enabled: true,
  selected: false,
  password: false,
};

interface Setup {
  text?: string;
  field?: Partial<UiNode>;
  clipboard?: "works" | "impossible";
  holdsPicture?: boolean;
  inputSays?: string;
  lose?: string;
}

/** A field on a phone, reached by keys and by the clipboard. */
function phoneWith(setup: Setup = {}) {
  const held = "what the owner copied";
  const state = { field: setup.text ?? "", clipboard: held };
  const runner = scriptedRunner((command) => {
    if (setup.inputSays) return setup.inputSays;
    const words = command
      .replaceAll("'\\''", "\u0001")
      .match(/'[^']*'|\S+/g)
      ?.map((word) => word.replace(/^'|'$/g, "").replaceAll("\u0001", "'"));
    if (words?.[1] === "keyevent") state.field += "\n";
    else state.field += (words?.[2] ?? "").replaceAll("%s", " ").replaceAll(setup.lose ?? "\u0002", "");
    return "";
  });
  const clipboard: Pick<Clipboard, "open" | "readIfText" | "write" | "paste"> = {
    async open() {
      if (setup.clipboard !== "works") throw new CodedError("clipboard_unavailable", "No.");
    },
    readIfText: async () => (setup.holdsPicture && state.clipboard === held ? undefined : state.clipboard),
    async write(text) {
      state.clipboard = text;
    },
    async paste(text) {
      state.clipboard = text;
      state.field += text;
    },
  };
  const readTree = async (): Promise<UiTree> => ({
    size: { width: 1, height: 1 },
    rotation: 0,
    nodes: [{ ...node, text: state.field, ...setup.field }],
  });
  const keys = new PointerAndKeys(runner, () => {});
  const clock = hurried(10);
  const notes = new PutBackNotes({ file: undefined, clock, logger: silent });
  const parts = { phone: "a", notes, runner, clipboard, clock, random: () => 0.5, logger: silent };
  return {
    typer: new TextTyper({ keys, clipboard, putBack: new PutBack(parts), helper: undefined, clock, readTree }),
    state,
    runner,
  };
}

test("plain text goes by keys and is read back", async () => {
  const { typer, state } = phoneWith();
  expect(await typer.type("it's 100%s; $(reboot)\nsecond", never)).toEqual({
    route: "input",
    fieldText: "it's 100%s; $(reboot)\nsecond",
    verified: "true",
  });
  expect(state.field).toBe("it's 100%s; $(reboot)\nsecond");
});

test("lost characters are noticed", async () => {
  const { typer } = phoneWith({ lose: "l" });
  expect(await typer.type("hello", never)).toMatchObject({ verified: "false", fieldText: "heo" });
});

test("any other text is pasted, and the owner's clipboard is put back", async () => {
  const { typer, state, runner } = phoneWith({ clipboard: "works" });
  expect(await typer.type("你好 👍 é", never)).toEqual({
    route: "clipboard",
    fieldText: "你好 👍 é",
    verified: "true",
  });
  expect(state.clipboard).toBe("what the owner copied");
  expect(runner.asked).toEqual([]);
});

test("a clipboard that held no text is emptied, and that is told", async () => {
  const { typer, state } = phoneWith({ clipboard: "works", holdsPicture: true });
  expect(await typer.type("好", never)).toMatchObject({ route: "clipboard", clipboardEmptied: true });
  expect(state.clipboard).toBe("");
  expect(await typer.type("好", never)).not.toHaveProperty("clipboardEmptied");
});

test("without a clipboard the characters are named before anything is typed", async () => {
  const { typer, state } = phoneWith({ clipboard: "impossible" });
  await expect(typer.type("ok 你", never)).rejects.toMatchObject({
    code: "unsupported_characters",
    message: "This phone has no way to type 你 (U+4F60); nothing was typed.",
  });
  expect(state.field).toBe("");
});

test("half an emoji is no text", async () => {
  const { typer } = phoneWith({ clipboard: "works" });
  expect(await codeOf(typer.type("a\ud83d", never))).toBe("unsupported_characters");
});

test("a password field cannot be read back", async () => {
  const { typer } = phoneWith({ field: { password: true, text: "•••" } });
  expect(await typer.type("secret", never)).toEqual({ route: "input", fieldText: null, verified: "unverifiable" });
});

test("without a field in focus nothing is claimed", async () => {
  const { typer } = phoneWith({ field: { focused: false } });
  expect(await typer.type("x", never)).toMatchObject({ verified: "unverifiable" });
});

test("a phone that refuses injected input is told, and asked once", async () => {
  const { typer, runner } = phoneWith({
    inputSays: "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n",
  });
  expect(await codeOf(typer.type("x", never))).toBe("input_permission_denied");
  expect(runner.asked).toHaveLength(1);
});

test("an exception of the phone's program is a failure although it ended well", async () => {
  const { typer } = phoneWith({
    inputSays:
      "Exception occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null array\n",
  });
  expect(await codeOf(typer.type("x", never))).toBe("unsupported");
});
