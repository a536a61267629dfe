import { expect, test } from "vitest";
import { startPhone } from "./support/running-phone.ts";

const helper = "com.android.adbkeyboard/.AdbIME";
const latin = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME";
const broadcast = (text: string, rest = "") =>
  `am broadcast -a ADB_INPUT_B64 ${rest} --es msg ${Buffer.from(text).toString("base64")}`;

async function withField() {
  const running = await startPhone({ helperKeyboard: true });
  running.phone.open("app.farhand.chat");
  await running.tap("message_input");
  return running;
}

test("the helper keyboard is installed only where it is wanted, and enabled nowhere by itself", async () => {
  const { text } = await startPhone({ helperKeyboard: true });
  expect((await text("ime list -a -s")).split("\n")).toContain(helper);
  expect(await text("ime list -s")).toBe(`${latin}\n`);
  expect(await (await startPhone()).text("ime list -a -s")).not.toContain(helper);
});

test("a keyboard is chosen only when it is enabled, and the settings follow", async () => {
  const { run, text, phone } = await startPhone({ helperKeyboard: true });
  expect((await run(`ime set ${helper}`)).stderr).toBe(
    `Unknown input method ${helper} cannot be selected for user #0\n`,
  );
  expect(await text(`ime enable ${helper}; ime enable ${helper}`)).toBe(
    `Input method ${helper}: now enabled for user #0\nInput method ${helper}: already enabled for user #0\n`,
  );
  await text(`ime set ${helper}`);
  expect(await text("settings get secure default_input_method; settings get secure enabled_input_methods")).toBe(
    `${helper}\n${latin}:${helper}\n`,
  );
  expect([phone.screen.inputMethod, phone.screen.enabledInputMethods]).toEqual([helper, [latin, helper]]);
});

test("a keyboard that is chosen by the settings is the current one, and one that is disabled is no longer", async () => {
  const { text, phone } = await startPhone({ helperKeyboard: true });
  await text(`ime enable ${helper}; settings put secure default_input_method ${helper}`);
  expect(phone.screen.inputMethod).toBe(helper);
  await text(`ime disable ${helper}`);
  expect(await text("settings get secure default_input_method; ime list -s")).toBe(`${latin}\n${latin}\n`);
});

test("a broadcast is typed only while the helper is current and a field shows it, and ends well anyway", async () => {
  const { text, phone } = await withField();
  const end = "Broadcast completed: result=0\n";
  expect(await text(broadcast("早"))).toContain(end);
  expect(phone.screen.focusedFieldText).toBe("");
  await text(`ime enable ${helper}; ime set ${helper}`);
  await expect.poll(() => text("dumpsys input_method")).toContain(`mCurId=${helper} `);
  expect(await text(broadcast("好\n👍"))).toContain(end);
  expect(phone.screen.focusedFieldText).toBe("好\n👍");
  await text(broadcast("x", "-p com.other"));
  await text("input keyevent BACK");
  await text(broadcast("y"));
  expect(phone.screen.focusedFieldText).toBe("好\n👍");
});

test("a keyboard that was chosen is connected only a moment later", async () => {
  const { text, phone } = await startPhone({ helperKeyboard: true, latency: "real" });
  phone.open("app.farhand.chat");
  await text(`ime enable ${helper}`);
  const dump = await text(`ime set ${helper}; dumpsys input_method`);
  expect(dump).toContain(`mCurMethodId=${helper}\n`);
  expect(dump).toMatch(/mCurId=null mHaveConnection=false mBoundToMethod=false/);
  await expect.poll(() => text("dumpsys input_method"), { timeout: 5000 }).toMatch(/mBoundToMethod=true/);
});
