import { expect, test } from "vitest";
import { createPhoneQueues } from "../../../device-agent/queue/phone-queues.ts";
import { CodedError } from "../../../shared/errors.ts";
import { settled } from "../../support/manual-clock.ts";

const never = new AbortController().signal;

/** Work that a test ends by hand, with a note of what began. */
function steps() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

test("writes on one phone run one at a time in the order of arrival", async () => {
  const queues = createPhoneQueues({ perDevice: 32 });
  const { begun, work, end } = steps();
  const all = ["first", "second", "third"].map((name) => queues.run("a", "write", never, work(name)));
  await settled();
  expect(begun).toEqual(["first"]);
  end("first");
  await settled();
  expect(begun).toEqual(["first", "second"]);
  end("second");
  await settled();
  end("third");
  expect(await Promise.all(all)).toEqual(["first", "second", "third"]);
});

test("reads run beside a write and beside each other", async () => {
  const queues = createPhoneQueues({ perDevice: 32 });
  const { begun, work } = steps();
  void queues.run("a", "write", never, work("write"));
  void queues.run("a", "read", never, work("read one"));
  void queues.run("a", "read", never, work("read two"));
  await settled();
  expect(begun.toSorted()).toEqual(["read one", "read two", "write"]);
});

test("destroying counts as writing", async () => {
  const queues = createPhoneQueues({ perDevice: 32 });
  const { begun, work } = steps();
  void queues.run("a", "destroy", never, work("wipe"));
  void queues.run("a", "write", never, work("tap"));
  await settled();
  expect(begun).toEqual(["wipe"]);
});

test("a phone that hangs does not hold up another", async () => {
  const queues = createPhoneQueues({ perDevice: 32 });
  const { begun, work } = steps();
  void queues.run("a", "write", never, work("on a"));
  void queues.run("b", "write", never, work("on b"));
  await settled();
  expect(begun).toEqual(["on a", "on b"]);
});

test("a failed write lets the next one go", async () => {
  const queues = createPhoneQueues({ perDevice: 32 });
  const failing = queues.run("a", "write", never, () => Promise.reject(new Error("broken")));
  const next = queues.run("a", "write", never, async () => "went");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("went");
});

test("who gives up while waiting is never run, and those behind keep their order", async () => {
  const queues = createPhoneQueues({ perDevice: 32 });
  const { begun, work, end } = steps();
  const giveUp = new AbortController();
  void queues.run("a", "write", never, work("first"));
  const second = queues.run("a", "write", giveUp.signal, work("second"));
  void queues.run("a", "write", never, work("third"));
  giveUp.abort(new CodedError("canceled", "The caller gave up."));
  await expect(second).rejects.toMatchObject({ code: "canceled" });
  end("first");
  await settled();
  expect(begun).toEqual(["first", "third"]);
});

test("a full phone says when to come again, while another phone is free", async () => {
  const queues = createPhoneQueues({ perDevice: 2 });
  const { work, end } = steps();
  void queues.run("a", "write", never, work("first"));
  void queues.run("a", "write", never, work("second"));
  const refused = queues.run("a", "read", never, work("third"));
  await expect(refused).rejects.toMatchObject({ code: "device_busy", retryAfterMs: 1_000 });
  expect(await queues.run("b", "write", never, async () => "free")).toBe("free");
  end("first");
  await settled();
  expect(await queues.run("a", "read", never, async () => "room again")).toBe("room again");
});
