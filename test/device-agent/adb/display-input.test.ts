import { expect, test } from "vitest";
import { DisplayInput } from "../../../device-agent/adb/input/display-input.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, never } from "./test-parts.ts";

// Heads of the help as Android 10 to 14 and Android 9 print it.
const newer = "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe sources are: \n      dpad\n";
const older = "Usage: input [<source>] <command> [<arg>...]\n\nThe sources are: \n      dpad\n";

test("a phone whose input program knows displays is asked once", async () => {
  const runner = scriptedRunner(() => newer);
  const input = new DisplayInput(runner);
  await input.require(never);
  await input.require(never);
  expect(runner.asked).toEqual(["input"]);
});

test("one whose does not is refused, and asked once too", async () => {
  const runner = scriptedRunner(() => older);
  const input = new DisplayInput(runner);
  expect([await codeOf(input.require(never)), await codeOf(input.require(never))]).toEqual([
    "unsupported",
    "unsupported",
  ]);
  expect(runner.asked).toEqual(["input"]);
});

test("an answer that is no help is not remembered", async () => {
  let says = "cmd: Can't find service: input\n";
  const input = new DisplayInput(scriptedRunner(() => says));
  expect(await input.isPossible(never)).toBe(false);
  says = newer;
  expect(await input.isPossible(never)).toBe(true);
});
