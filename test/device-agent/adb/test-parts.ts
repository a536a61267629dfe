import { setMaxListeners } from "node:events";
import type { PictureEncoder } from "../../../device-agent/pictures/picture-encoder.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/log.ts";

/** Real time. */
export const clock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Time that passes `times` as fast, for what waits for seconds. */
export function hurried(times: number): Clock {
  const begun = Date.now();
  return { now: () => begun + (Date.now() - begun) * times, after: (ms, action) => clock.after(ms / times, action) };
}

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A signal that nobody aborts. */
export const never = new AbortController().signal;
setMaxListeners(0, never);

/** For tests that take no pictures. */
export const noEncoder: PictureEncoder = {
  encode: () => Promise.reject(new Error("no pictures here")),
  decode: () => Promise.reject(new Error("no pictures here")),
};

/** Waits until `holds`; fails after `ms`. */
export async function until(holds: () => boolean, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error("It did not come to that in time.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error) => error?.code ?? error,
  );
