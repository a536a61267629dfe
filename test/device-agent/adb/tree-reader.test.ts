import { expect, test } from "vitest";
import { TreeReader } from "../../../device-agent/adb/tree/tree-reader.ts";
import type { ScreenStatus } from "../../../shared/device.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, hurried, never } from "./test-parts.ts";

const on: ScreenStatus = {
  size: { width: 60, height: 100 },
  rotation: 0,
  awake: true,
  locked: false,
  secureLock: false,
  keyboard: [],
};
const tree = (text: string, rotation = 0) =>
  `<?xml version='1.0'?><hierarchy rotation="${rotation}"><node text="${text}" bounds="[0,0][60,100]"/></hierarchy>`;

/** A phone that writes dumps into files and refuses two at a time. */
function phone(dump: (time: number) => { said?: string; xml?: string }, status: () => ScreenStatus = () => on) {
  const files = new Map<string, string>();
  let dumps = 0;
  let running = 0;
  let refused = 0;
  const runner = scriptedRunner(async (command) => {
    if (command.startsWith("cat ")) {
      const file = command.split(/[ ;]/)[1] ?? "";
      const xml = files.get(file);
      files.delete(file);
      return xml ?? `cat: ${file}: No such file or directory\n`;
    }
    if (!command.startsWith("uiautomator dump ")) return "";
    if (running > 0) refused += 1;
    if (running > 0) return "java.lang.IllegalStateException: UiAutomationService x already registered!\n";
    running += 1;
    await new Promise((resolve) => setTimeout(resolve, 30));
    running -= 1;
    const { said, xml } = dump(dumps++);
    const file = command.split(" ")[2] ?? "";
    if (xml !== undefined) files.set(file, xml);
    return said ?? `UI hierchary dumped to: ${file}\n`;
  });
  const trees = new TreeReader({
    runner,
    clock: hurried(10),
    random: Math.random,
    readStatus: async () => status(),
    hasAppsElsewhere: () => false,
  });
  const reader = { read: (signal: AbortSignal) => trees.read(0, signal) };
  return { reader, runner, files, dumps: () => dumps, refused: () => refused };
}

test("a tree comes with the shape of the screen, and leaves no file", async () => {
  const { reader, files } = phone(() => ({ xml: tree("a") }));
  expect(await reader.read(never)).toMatchObject({
    size: { width: 60, height: 100 },
    rotation: 0,
    nodes: [{ text: "a" }],
  });
  expect(files.size).toBe(0);
});

test("ten at once all get a tree, and the phone makes few", async () => {
  const { reader, dumps } = phone((time) => ({ xml: tree(`${time}`) }));
  const trees = await Promise.all(Array.from({ length: 10 }, () => reader.read(never)));
  expect(trees).toHaveLength(10);
  expect(dumps()).toBeLessThanOrEqual(2);
});

test("who asks after a dump began gets a later one", async () => {
  const { reader, refused } = phone((time) => ({ xml: tree(`${time}`) }));
  const first = reader.read(never);
  await new Promise((resolve) => setTimeout(resolve, 10));
  const second = reader.read(never);
  expect([(await first).nodes[0]?.text, (await second).nodes[0]?.text]).toEqual(["0", "1"]);
  expect(refused()).toBe(0);
});

test("a screen that moves for a moment is read when it rests", async () => {
  const { reader } = phone((time) =>
    time === 0 ? { said: "ERROR: could not get idle state.\n" } : { xml: tree("still") },
  );
  expect((await reader.read(never)).nodes[0]?.text).toBe("still");
});

test("a screen that always moves is said to move", async () => {
  const { reader, dumps } = phone(() => ({ said: "ERROR: could not get idle state.\n" }));
  expect(await codeOf(reader.read(never))).toBe("ui_not_idle");
  expect(dumps()).toBe(3);
});

test.each([
  ["no root", { said: "ERROR: null root node returned by UiTestAutomationBridge.\n" }],
  ["a killed program", { said: "Killed \n" }],
  ["nothing at all", { said: "" }],
  ["a tree that broke off", { xml: '<hierarchy rotation="0"><node text="cut' }],
  ["an empty tree", { xml: '<hierarchy rotation="0"></hierarchy>' }],
])("%s is no tree", async (_, answer) => {
  const { reader } = phone(() => answer);
  expect(await codeOf(reader.read(never))).toBe("ui_unavailable");
});

test("a sleeping phone gives no tree", async () => {
  const { reader } = phone(
    () => ({ xml: tree("old") }),
    () => ({ ...on, awake: false }),
  );
  expect(await codeOf(reader.read(never))).toBe("screen_off");
});

test("tree and shape belong to one rotation", async () => {
  let looks = 0;
  const turned: ScreenStatus = { ...on, size: { width: 100, height: 60 }, rotation: 1 };
  const { reader } = phone(
    () => ({ xml: tree("a", 1) }),
    () => (looks++ === 0 ? on : turned),
  );
  expect(await reader.read(never)).toMatchObject({ rotation: 1, size: { width: 100, height: 60 } });
});

test("one who gives up does not take the tree from the others", async () => {
  const { reader } = phone(() => ({ xml: tree("a") }));
  const caller = new AbortController();
  const gone = codeOf(reader.read(caller.signal));
  const stays = reader.read(never);
  caller.abort();
  expect(await gone).toBe("canceled");
  expect((await stays).nodes[0]?.text).toBe("a");
});
