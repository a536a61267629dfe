import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bindings, type Frame } from "../support/bindings.ts";
import { words } from "../support/start.ts";
import { clientOf, type House, openHouse } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const kindOf = ({ item }: Frame) => Object.keys(item ?? {})[0];
const stateOf = ({ item }: Frame) => (item?.task ?? item?.statusUpdate)?.status?.state;

describe.each(bindings)("by $name", (binding) => {
  const client = () => clientOf(house, binding);

  test("a stream begins with the Task, tells what happens, and closes at the end with the whole of it [CORE-STREAM-001] [CORE-STREAM-003] [JSONRPC-SSE-001] [HTTP_JSON-SSE-001]", async () => {
    const stream = await client().stream("SendStreamingMessage", { message: words("chunks") });
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    const frames = await stream.rest();
    expect(kindOf(frames[0] as Frame)).toBe("task");
    const last = frames.at(-1) as Frame;
    expect([kindOf(last), stateOf(last)]).toEqual(["task", "TASK_STATE_COMPLETED"]);
    expect(last.item.task.artifacts[0].parts.map(({ text }: { text: string }) => text).join("")).toBe("one two three");
  });

  test("chunks come in the order in which they were made [STREAM-ORDER-001]", async () => {
    const frames = await (await client().stream("SendStreamingMessage", { message: words("chunks") })).rest();
    const chunks = frames.flatMap(({ item }) => item?.artifactUpdate ?? []);
    expect(chunks.map(({ artifact, append, lastChunk }) => [artifact.parts[0].text, append, lastChunk])).toEqual([
      ["one ", false, false],
      ["two ", true, false],
      ["three", true, true],
    ]);
    const numbers = frames.map(({ id }) => Number(id));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test("all who follow a Task see the same, whoever leaves [STREAM-ORDER-002] [STREAM-ORDER-003] [STREAM-ORDER-004] [STREAM-SUB-001] [STREAM-SUB-002]", async () => {
    const own = await openHouse();
    const ours = clientOf(own, binding);
    const { id } = await ours.begin("slow");
    await ours.inState(id, "TASK_STATE_WORKING");
    const [first, second, leaver] = await Promise.all([1, 2, 3].map(() => ours.stream("SubscribeToTask", { id })));
    const begun = await Promise.all([first, second, leaver].map((stream) => stream?.next()));
    expect(begun.map((frame) => kindOf(frame as Frame))).toEqual(["task", "task", "task"]);
    await leaver?.events.close();
    own.talker.go();
    const [seen, same] = await Promise.all([first?.rest(), second?.rest()]);
    const all = (frames: Frame[] | undefined) => frames?.map(({ id: number, item }) => [number, item]);
    const overlap = Math.min(seen?.length ?? 0, same?.length ?? 0);
    expect(overlap).toBeGreaterThan(0);
    expect(all(seen)?.slice(-overlap)).toEqual(all(same)?.slice(-overlap));
    expect(stateOf(seen?.at(-1) as Frame)).toBe("TASK_STATE_COMPLETED");
    await own.close();
  });

  test("a Task that is over cannot be followed [STREAM-SUB-003]", async () => {
    const { id } = await client().send("complete");
    expect((await client().call("SubscribeToTask", { id })).error?.reason).toBe("UNSUPPORTED_OPERATION");
  });

  test("a stream ends at a question, and another one goes on with the answer [AUTH-INTASK-005]", async () => {
    const asked = await (await client().stream("SendStreamingMessage", { message: words("auth") })).rest();
    const { task } = (asked.at(-1) as Frame).item;
    expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    const following = await client().stream("SubscribeToTask", { id: task.id });
    expect(stateOf((await following.next()) as Frame)).toBe("TASK_STATE_AUTH_REQUIRED");
    const done = await (
      await client().stream("SendStreamingMessage", { message: words("go on", { taskId: task.id }) })
    ).rest();
    expect(stateOf(done.at(-1) as Frame)).toBe("TASK_STATE_COMPLETED");
    expect(stateOf((await following.rest()).at(-1) as Frame)).toBe("TASK_STATE_COMPLETED");
  });

  test("a client that comes back with the last id misses nothing and sees nothing twice", async () => {
    const whole = await (await client().stream("SendStreamingMessage", { message: words("chunks") })).rest();
    const { task } = (whole.at(-1) as Frame).item;
    const middle = whole.findIndex(({ item }) => item?.artifactUpdate) as number;
    const from = whole[middle]?.id ?? "";
    const again = await (
      await client().stream("SubscribeToTask", { id: task.id }, { headers: { "last-event-id": from } })
    ).rest();
    expect(kindOf(again[0] as Frame)).toBe("task");
    expect(again.slice(1)).toEqual(whole.slice(middle + 1));
  });
});
