import { beforeEach, expect, test } from "vitest";
import { PutBack } from "../../../device-agent/adb/text/put-back.ts";
import { PutBackNotes } from "../../../device-agent/adb/text/put-back-notes.ts";
import { CodedError } from "../../../shared/errors.ts";
import { createManualClock, type ManualClock, settled } from "../../support/manual-clock.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, never, silent } from "./test-parts.ts";

const latin = "com.latin/.Ime";
const helper = "com.helper/.Ime";

/** A phone with two keyboards and a clipboard, either of which may fail. */
function createPhone() {
  const state = {
    clipboard: "the user's" as string | undefined,
    current: latin,
    enabled: [latin],
    isShown: true,
    fails: undefined as CodedError | undefined,
    writes: 0,
  };
  const answer = (command: string): string => {
    const [program, verb, id = ""] = command.split(" ");
    if (command === "ime list -a -s") return `${latin}\n${helper}\n`;
    if (command === "ime list -s") return `${state.enabled.join("\n")}\n`;
    if (program === "settings") return `${state.current}\n`;
    if (program === "dumpsys") {
      return `mCurId=${state.current} mHaveConnection=true mBoundToMethod=true\nmInputShown=${state.isShown}\n`;
    }
    if (verb === "enable") state.enabled = [...state.enabled, id];
    else if (verb === "disable") state.enabled = state.enabled.filter((one) => one !== id);
    else if (verb === "set") state.current = id;
    return "";
  };
  const runner = scriptedRunner((command) => {
    if (state.fails) throw state.fails;
    return answer(command);
  });
  const clipboard = {
    async readIfText() {
      if (state.fails) throw state.fails;
      return state.clipboard;
    },
    async write(text: string) {
      if (state.fails) throw state.fails;
      state.writes += 1;
      state.clipboard = text;
    },
  };
  return { state, runner, clipboard };
}

let clock: ManualClock;
let phone: ReturnType<typeof createPhone>;
let notes: PutBackNotes;
let putBack: PutBack;
beforeEach(() => {
  clock = createManualClock();
  phone = createPhone();
  notes = new PutBackNotes({ file: undefined, clock, logger: silent });
  putBack = nextProcess();
});

const nextProcess = () => new PutBack({ phone: "a", notes, ...phone, clock, random: () => 0.5, logger: silent });
const nothing = async () => {};
const gone = new CodedError("device_offline", "Gone.");

/** Lets time pass until it is done. */
async function passing<T>(work: Promise<T>): Promise<T> {
  const over = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, settled()]))) await clock.advance(50);
  return work;
}

/** Types by the clipboard, and everything fails from the middle on. */
async function dieWhilePasting(): Promise<void> {
  await putBack.withClipboard(phone.clipboard, "typed", never, async () => {
    phone.state.clipboard = "typed";
    phone.state.fails = gone;
  });
  phone.state.fails = undefined;
}

async function dieWhileHelperIsUp(): Promise<void> {
  const typing = putBack.withKeyboard(helper, never, async () => {
    phone.state.fails = gone;
  });
  await passing(typing);
  phone.state.fails = undefined;
}

test("the clipboard is put back and nothing stays noted", async () => {
  const { result, hadText } = await putBack.withClipboard(phone.clipboard, "typed", never, async () => {
    phone.state.clipboard = "typed";
    expect(notes.get("a")?.clipboard?.was).toBe("the user's");
    return 1;
  });
  expect([result, hadText, phone.state.clipboard, notes.get("a")]).toEqual([1, true, "the user's", undefined]);
});

test("what is noted does not hold what was typed", async () => {
  await putBack.withClipboard(phone.clipboard, "my password", never, async () => {
    expect(JSON.stringify(notes.get("a"))).not.toContain("my password");
  });
});

test("what the user copies meanwhile stays", async () => {
  await putBack.withClipboard(phone.clipboard, "typed", never, async () => {
    phone.state.clipboard = "newer";
  });
  expect([phone.state.clipboard, phone.state.writes, notes.get("a")]).toEqual(["newer", 0, undefined]);
});

test("after a failure in the middle the clipboard is put back before the next work begins", async () => {
  await dieWhilePasting();
  expect(phone.state.clipboard).toBe("typed");
  const seen = await nextProcess().alone(never, async () => phone.state.clipboard);
  expect([seen, notes.get("a")]).toEqual(["the user's", undefined]);
});

test("a clipboard that was replaced since then is left alone", async () => {
  await dieWhilePasting();
  phone.state.clipboard = "newer";
  await nextProcess().alone(never, nothing);
  expect([phone.state.clipboard, notes.get("a")]).toEqual(["newer", undefined]);
});

test("a clipboard that tells nothing now, as on a locked phone, stays noted and is asked again later", async () => {
  await dieWhilePasting();
  phone.state.clipboard = undefined;
  const next = nextProcess();
  await next.alone(never, nothing);
  expect(notes.get("a")?.clipboard?.was).toBe("the user's");
  phone.state.clipboard = "typed";
  await next.alone(never, nothing);
  expect(phone.state.clipboard).toBe("typed");
  await clock.advance(60_000);
  await settled();
  expect([phone.state.clipboard, notes.get("a")]).toEqual(["the user's", undefined]);
});

test("typing again while the clipboard could not be put back never takes our text for the user's", async () => {
  await dieWhilePasting();
  await putBack.withClipboard(phone.clipboard, "second", never, async () => {
    phone.state.clipboard = "second";
  });
  expect(phone.state.clipboard).toBe("the user's");
});

test("a phone that is away costs other work nothing but one attempt, and keeps its note", async () => {
  await dieWhilePasting();
  phone.state.fails = gone;
  expect(await nextProcess().alone(never, async () => "typed")).toBe("typed");
  expect(notes.get("a")?.clipboard).toBeDefined();
});

test("a phone that hangs delays other work for eight seconds at most, and only once", async () => {
  await dieWhilePasting();
  const hanging = { ...phone.clipboard, readIfText: () => new Promise<string>(() => {}) };
  const next = new PutBack({ phone: "a", notes, ...phone, clipboard: hanging, clock, random: () => 0, logger: silent });
  const first = next.alone(never, async () => clock.now());
  const begun = clock.now();
  await clock.advance(8000);
  expect((await first) - begun).toBeLessThanOrEqual(8000);
  expect(await next.alone(never, async () => "at once")).toBe("at once");
});

test("the keyboard is put back, and ours is as unavailable as before", async () => {
  const typing = putBack.withKeyboard(helper, never, async () => {
    expect(phone.state).toMatchObject({ current: helper, enabled: [latin, helper] });
    expect(notes.get("a")?.keyboard).toEqual({ was: latin, ours: helper, isEnabledByUs: true });
  });
  await passing(typing);
  expect(phone.state).toMatchObject({ current: latin, enabled: [latin] });
  expect(notes.get("a")).toBeUndefined();
});

test("a helper that the user had enabled stays enabled, and one that is the user's choice stays chosen", async () => {
  phone.state.enabled = [latin, helper];
  await passing(putBack.withKeyboard(helper, never, nothing));
  expect(phone.state).toMatchObject({ current: latin, enabled: [latin, helper] });
  phone.state.current = helper;
  await putBack.withKeyboard(helper, never, async () => expect(notes.get("a")).toBeUndefined());
  expect(phone.state).toMatchObject({ current: helper, enabled: [latin, helper] });
});

test("after a failure in the middle the next process puts the keyboard back, whichever helper is allowed then", async () => {
  await dieWhileHelperIsUp();
  expect(phone.state.current).toBe(helper);
  await nextProcess().alone(never, nothing);
  expect(phone.state).toMatchObject({ current: latin, enabled: [latin] });
  expect(notes.get("a")).toBeUndefined();
});

test("a keyboard that the user has chosen since then stays", async () => {
  await dieWhileHelperIsUp();
  phone.state.current = "com.other/.Ime";
  phone.state.enabled = [latin, helper, "com.other/.Ime"];
  await nextProcess().alone(never, nothing);
  expect(phone.state).toMatchObject({ current: "com.other/.Ime", enabled: [latin, "com.other/.Ime"] });
});

test("typing again while the keyboard could not be put back never takes ours for the user's", async () => {
  await dieWhileHelperIsUp();
  await passing(putBack.withKeyboard(helper, never, nothing));
  expect(phone.state).toMatchObject({ current: latin, enabled: [latin] });
});

test("a helper that does not come up is said so, and the keyboard is put back", async () => {
  phone.state.isShown = false;
  const typing = codeOf(
    putBack.withKeyboard(helper, never, () => Promise.reject(new Error("nothing may be typed now"))),
  );
  await clock.advance(10_000);
  expect(await typing).toBe("unsupported_characters");
  expect(phone.state).toMatchObject({ current: latin, enabled: [latin] });
});

test("a call that is given up meanwhile still puts the keyboard back", async () => {
  const life = new AbortController();
  const typing = putBack.withKeyboard(helper, life.signal, async () => {
    life.abort();
    life.signal.throwIfAborted();
  });
  await expect(passing(typing)).rejects.toThrow();
  expect(phone.state).toMatchObject({ current: latin, enabled: [latin] });
});

test("nothing else types before the first one has put everything back", async () => {
  let finish = () => {};
  const first = putBack.alone(never, () =>
    putBack.withClipboard(phone.clipboard, "typed", never, async () => {
      phone.state.clipboard = "typed";
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    }),
  );
  const second = putBack.alone(never, async () => phone.state.clipboard);
  await settled();
  finish();
  await first;
  expect(await second).toBe("the user's");
});
