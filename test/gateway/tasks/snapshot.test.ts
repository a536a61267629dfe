import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldEvents, updateOf, withHistory } from "../../../gateway/tasks/snapshot.ts";
import type { StoredEvent, Task, TaskUpdate } from "../../../gateway/tasks/task.ts";
import type { Artifact, Message } from "../../../shared/tasks/message.ts";
import type { TaskState } from "../../../shared/tasks/task-state.ts";

const url = "https://gateway.test";
const head = { id: "t1", contextId: "c1", createdAt: 0, metadata: {}, skill: "chat", deviceId: "dev_1" };
const message = (messageId: string, role: Message["role"] = "ROLE_USER"): Message => ({
  messageId,
  role,
  parts: [{ text: messageId }],
});
const numbered = (events: Omit<StoredEvent, "seq" | "at">[]): StoredEvent[] =>
  events.map((event, index) => ({ ...event, seq: index + 1, at: index * 1_000 }) as StoredEvent);
const said = (state: TaskState, words: string) => ({ kind: "status", state, message: message(words, "ROLE_AGENT") });
const piece = (artifactId: string, text: string, append = false) => ({
  kind: "artifact",
  artifact: { artifactId, parts: [{ text }] },
  append,
  lastChunk: false,
});
const textsOf = (artifact: Artifact | undefined) => artifact?.parts.map(({ text }) => text);

describe("a Task's document", () => {
  it("has the result first, whenever it came, and joins what is appended", () => {
    const { artifacts } = foldEvents(
      head,
      numbered([
        { kind: "message", message: message("go") },
        piece("log", "1"),
        piece("result", "old"),
        piece("log", "2", true),
        piece("result", "new"),
      ] as never),
      url,
    );
    expect(artifacts?.map(({ artifactId }) => artifactId)).toEqual(["result", "log"]);
    expect(artifacts?.map(textsOf)).toEqual([["new"], ["1", "2"]]);
  });

  it("keeps what was said before in its history, in order, and what is said now in its status alone", () => {
    const events = numbered([
      { kind: "message", message: message("go") },
      said("TASK_STATE_WORKING", "looking"),
      said("TASK_STATE_INPUT_REQUIRED", "which?"),
      { kind: "message", message: message("this") },
      said("TASK_STATE_COMPLETED", "done"),
    ] as never);
    const task = foldEvents(head, events, url);
    expect(task.history?.map(({ messageId }) => messageId)).toEqual(["go", "looking", "which?", "this"]);
    expect(task.status).toEqual({
      state: "TASK_STATE_COMPLETED",
      message: message("done", "ROLE_AGENT"),
      timestamp: "1970-01-01T00:00:04.000Z",
    });
    expect(foldEvents(head, events.slice(0, 4), url).status).toEqual({
      state: "TASK_STATE_WORKING",
      timestamp: "1970-01-01T00:00:03.000Z",
    });
    expect(withHistory(task, 2).history?.map(({ messageId }) => messageId)).toEqual(["which?", "this"]);
    expect(withHistory(task, 0)).not.toHaveProperty("history");
    expect(withHistory(task, undefined)).toBe(task);
    expect(withHistory(task, 100).history).toHaveLength(4);
  });

  it("names kept files by an address that a client can use", () => {
    const event = {
      kind: "artifact",
      artifact: { artifactId: "a", parts: [{ url: "/files/file_1" }, { url: "https://x/" }] },
    };
    const [first] = numbered([{ ...event, append: false, lastChunk: true } as never]);
    if (!first) throw new Error("no event");
    expect(foldEvents(head, [first], url).artifacts?.[0]?.parts).toEqual([
      { url: "https://gateway.test/files/file_1" },
      { url: "https://x/" },
    ]);
  });
});

/** What a client makes of a snapshot and the updates after it. */
function follow(from: Task, updates: readonly TaskUpdate[]): Pick<Task, "status" | "artifacts"> {
  let { status } = from;
  const artifacts = new Map((from.artifacts ?? []).map((one) => [one.artifactId, one]));
  for (const update of updates) {
    if (update.kind === "status") status = update.status;
    if (update.kind !== "artifact") continue;
    const { artifact, append } = update;
    const before = append ? artifacts.get(artifact.artifactId) : undefined;
    artifacts.set(artifact.artifactId, before ? { ...before, parts: [...before.parts, ...artifact.parts] } : artifact);
  }
  return { status, artifacts: [...artifacts.values()].sort((a, b) => (a.artifactId < b.artifactId ? -1 : 1)) };
}

const anEvent = fc.oneof(
  fc.constantFrom("TASK_STATE_WORKING" as const, "TASK_STATE_INPUT_REQUIRED" as const).map((state) => said(state, "s")),
  fc
    .record({ id: fc.constantFrom("result", "a", "b"), text: fc.string(), append: fc.boolean() })
    .map(({ id, text, append }) => piece(id, text, append)),
  fc.constant({ kind: "message", message: message("m") }),
);

it("as of any number, together with the updates after it, the document is the whole one", () => {
  fc.assert(
    fc.property(fc.array(anEvent, { maxLength: 20 }), fc.nat(20), (tail, cut) => {
      const events = numbered([{ kind: "message", message: message("go") }, ...tail] as never);
      const seq = Math.min(cut + 1, events.length);
      const snapshot = foldEvents(head, events.slice(0, seq), url);
      const updates = events.slice(seq).map((event) => updateOf(head, event, url));
      expect(follow(snapshot, updates)).toEqual(follow(foldEvents(head, events, url), []));
    }),
  );
});
