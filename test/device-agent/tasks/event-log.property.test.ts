import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventLog, type EventLog } from "../../../device-agent/tasks/event-log.ts";
import { createKeptTasks } from "../../../device-agent/tasks/kept-tasks.ts";
import type { ToDeviceAgent, ToGateway } from "../../../shared/link/messages.ts";
import type { TaskEvent } from "../../../shared/tasks/task-event.ts";
import { isTerminal } from "../../../shared/tasks/task-state.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { FencedStore } from "../support/fenced-store.ts";
import { createLogLines } from "../support/log-lines.ts";
import { MemoryTaskJournal } from "../support/memory-task-journal.ts";
import { taskStart } from "../support/tasks-bench.ts";

type Ack = Extract<ToDeviceAgent, { type: "task_ack" }>;

/** The link and what is on its way, each thing moved by the test alone. */
class World {
  readonly store = new FencedStore();
  readonly clock = createManualClock();
  journal = new MemoryTaskJournal([{ kind: "start", at: 0, start: taskStart("t1") }]);
  /** On the way to the gateway, in order as TCP has it. */
  up: ToGateway[] = [];
  /** On the way back; a delayed one of an older link may be among them. */
  down: Ack[] = [];
  told: TaskEvent[] = [];
  isOver = false;
  events = this.#open();

  #open(): EventLog {
    const kept = this.journal.kept.all()[0] ?? { lastSeq: 0, acked: 0, events: [] };
    const { log } = createLogLines();
    return createEventLog({ clock: this.clock, log, journal: this.journal, kept, taskId: "t1" });
  }

  tell(event: TaskEvent): void {
    this.told.push(event);
    this.events.tell(event);
  }

  connect(): void {
    this.up = [];
    this.events.linked({
      send: async (message) => {
        const isWritten = this.journal.lines.some(
          (line) => line.kind === "event" && message.type === "task_event" && line.sourceSeq === message.sourceSeq,
        );
        expect(isWritten).toBe(true);
        this.up.push(message);
      },
    });
  }

  restart(): void {
    this.up = [];
    this.journal = new MemoryTaskJournal(this.journal.lines);
    this.events = this.#open();
  }

  deliver(): void {
    const message = this.up.shift();
    if (!message) return;
    for (const answer of this.store.take(message)) if (answer.type === "task_ack") this.down.push(answer);
  }

  acknowledge(index: number, keep: boolean): void {
    const at = index % Math.max(1, this.down.length);
    const ack = this.down[at];
    if (!ack || this.isOver) return;
    if (!keep) this.down.splice(at, 1);
    if (isTerminal(ack.state)) this.isOver = true;
    else this.events.acknowledged(ack.sourceSeq);
  }
}

const move = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "tell" as const }) },
  { weight: 6, arbitrary: fc.constant({ kind: "deliver" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("acknowledge" as const), index: fc.nat(20), keep: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "lose acks" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "connect" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "repeat" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

test("whatever is lost, repeated or late, the gateway gets every event once and in order, and each was on the disk before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
      const world = new World();
      for (const [n, step] of moves.entries()) {
        if (step.kind === "tell") {
          const artifact = { artifactId: `a${n}`, parts: [{ text: String(n) }] };
          world.tell({ kind: "artifact", artifact, append: false, lastChunk: true });
        } else if (step.kind === "deliver") world.deliver();
        else if (step.kind === "acknowledge") world.acknowledge(step.index, step.keep);
        else if (step.kind === "lose acks") world.down = [];
        else if (step.kind === "connect") world.connect();
        else if (step.kind === "repeat") world.events.repeat(0);
        else world.restart();
        await world.events.flushed();
        expect(world.store.task("t1").events).toEqual(world.told.slice(0, world.store.task("t1").lastSourceSeq));
      }
      world.tell({ kind: "status", state: "TASK_STATE_COMPLETED" });
      world.connect();
      await world.events.flushed();
      while (world.up.length > 0) world.deliver();
      world.down = world.down.slice(-1);
      world.acknowledge(0, false);
      expect(world.store.task("t1").events).toEqual(world.told);
      expect(world.isOver).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test("a journal that lost any of its lines still brings its Task to an end at the gateway", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(30), { maxLength: 6 }),
      fc.nat(8),
      async (events, losses, stored) => {
        const world = new World();
        world.connect();
        for (let n = 0; n < events; n++) world.tell({ kind: "status", state: "TASK_STATE_WORKING" });
        await world.events.flushed();
        for (let n = 0; n < stored; n++) world.deliver();
        while (world.down.length > 0) world.acknowledge(0, false);
        await world.events.flushed();
        const damaged = world.journal.lines.filter((line, at) => line.kind === "start" || !losses.includes(at));
        world.journal = new MemoryTaskJournal(damaged);
        world.restart();
        world.events.tell({ kind: "status", state: "TASK_STATE_FAILED" });
        world.connect();
        await world.events.flushed();
        for (let n = 0; n < 100 && !world.isOver; n++) {
          world.deliver();
          world.acknowledge(0, false);
          await world.events.flushed();
        }
        expect(world.store.task("t1").state).toBe("TASK_STATE_FAILED");
      },
    ),
    { numRuns: 300 },
  );
});

test("the shortest journal says the same as the whole one", () => {
  const line = fc.oneof(
    fc.integer({ min: 1, max: 4 }).map((n) => ({ kind: "start" as const, at: n, start: taskStart(`t${n}`) })),
    fc.record({
      kind: fc.constant("event" as const),
      taskId: fc.constantFrom("t1", "t2", "t3", "t4"),
      sourceSeq: fc.integer({ min: 1, max: 9 }),
      event: fc.constant({ kind: "status" as const, state: "TASK_STATE_WORKING" as const }),
    }),
    fc.record({
      kind: fc.constant("acked" as const),
      taskId: fc.constantFrom("t1", "t2", "t3", "t4"),
      sourceSeq: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({ kind: fc.constant("over" as const), taskId: fc.constantFrom("t1", "t2", "t3", "t4") }),
    fc.record({ kind: fc.constant("phone" as const), key: fc.constantFrom("a", "b") }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.array(line, { maxLength: 10 }), (lines, later) => {
      const [whole, short] = [createKeptTasks(), createKeptTasks()];
      for (const one of lines) whole.apply(one);
      for (const one of whole.lines()) short.apply(one);
      expect(short.all()).toEqual(whole.all());
      // Lines that came while the file was written anew stand behind it as well.
      for (const one of later) whole.apply(one);
      for (const one of later) short.apply(one);
      expect(short.all()).toEqual(whole.all());
      expect([...short.lines()]).toEqual([...whole.lines()]);
    }),
  );
});
