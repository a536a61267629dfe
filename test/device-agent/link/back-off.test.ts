import { expect, test } from "vitest";
import { createBackOff } from "../../../device-agent/link/back-off.ts";

const always = (value: number) => () => value;

test("waits up to half a second first, some seconds while a gateway may be restarting, and never over a minute", () => {
  const backOff = createBackOff(always(0.999_999));
  const waits = Array.from({ length: 13 }, () => backOff.next());
  expect(waits).toEqual([499, 999, 1_999, 3_999, 3_999, 3_999, 3_999, 3_999, 7_999, 15_999, 31_999, 59_999, 59_999]);
});

test("spreads each wait from nothing to its ceiling", () => {
  expect(createBackOff(always(0)).next()).toBe(0);
  expect(createBackOff(always(0.5)).next()).toBe(250);
});

test("starts over only after a stable link", () => {
  const backOff = createBackOff(always(0.5));
  for (let failure = 0; failure < 5; failure++) backOff.next();
  expect(backOff.next()).toBe(2_000);
  backOff.stable();
  expect(backOff.next()).toBe(250);
});

test("waits a minute or what was asked for when a person has to act", () => {
  const backOff = createBackOff(always(0));
  expect(backOff.slow()).toBe(60_000);
  expect(backOff.slow(90_000)).toBe(90_000);
  expect(createBackOff(always(0.5)).slow()).toBe(63_000);
});
