import { type Clock, pause } from "../../shared/clock.ts";
import { CodedError, toCodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { TaskStart } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import type { Message } from "../../shared/tasks/message.ts";
import { createDeferred } from "../link/deferred.ts";
import { type Ending, endings } from "./endings.ts";
import type { EventLog } from "./event-log.ts";
import { createLeaseWatch } from "./lease-watch.ts";
import { type CarryOut, createTaskCalls, type ToolTable } from "./task-calls.ts";
import type { TaskExecutor, TaskWork } from "./task-executor.ts";
import { createTeller } from "./teller.ts";
import type { Ticket } from "./turns.ts";

/** How long an executor may take to return once it has to end and none of its calls is under way. */
const letGoMs = 5_000;

/** A Task from its acceptance to its last event. */
export interface HeldTask {
  /** Waits for its turn, works and asks; resolves when nothing of it runs any more. Never rejects. */
  live(): Promise<void>;
  /** A message for a Task that asked; any other, and one that came already, changes nothing. */
  message(message: Message): void;
  /** Ends it after its current step, at once while it waits. */
  cancel(): void;
  /** The gateway keeps it until then. */
  prolong(until: number): void;
  /** It is over at the gateway: nothing more is done or told. */
  drop(): void;
  /** The process is about to stop; what has not begun stays in the journal. Resolves when nothing of it runs any more. */
  stop(graceMs: number): Promise<void>;
}

export interface HeldTaskOptions {
  clock: Clock;
  log: Logger;
  randomId: (length: number) => string;
  newErrorId: () => string;
  start: TaskStart;
  /** When it arrived. */
  at: number;
  events: EventLog;
  ticket: Ticket;
  executor: TaskExecutor | undefined;
  tools: ToolTable;
  carryOut: CarryOut;
  around: Pick<TaskWork, "build" | "keep">;
}

export function createHeldTask(options: HeldTaskOptions): HeldTask {
  const { clock, start, events, ticket, executor } = options;
  const [soft, hard] = [new AbortController(), new AbortController()];
  const teller = createTeller(options);
  const ended = createDeferred<void>();
  const seen = new Set([start.message.messageId]);
  let phase: "waiting" | "begun" | "over" = "waiting";
  let ending: Ending | "canceled" | "silent" | undefined;
  let answer: ((message: Message) => void) | undefined;

  const abortAll = () => {
    soft.abort(isOver());
    hard.abort(isOver());
  };
  /** The first reason counts, but what is over at the gateway is over. */
  const end = (how: Ending | "canceled" | "silent", when: "now" | "after this step") => {
    if (phase === "over") return;
    if (ending === undefined || how === "silent") ending = how;
    if (how === "silent") teller.close();
    soft.abort(isOver());
    if (when === "now") return abortAll();
    void calls
      .idle()
      .then(() => pause(clock, letGoMs, hard.signal))
      .then(abortAll, () => {});
  };
  const lease = createLeaseWatch({ clock, marginMs: limits.taskMarginMs, lost: () => end(endings.linkLost, "now") });
  const calls = createTaskCalls({
    clock,
    tools: options.tools,
    start,
    hard: hard.signal,
    carryOut: options.carryOut,
    permit() {
      lease.look();
      soft.signal.throwIfAborted();
    },
  });

  const within = async <T>(ms: number, late: () => Ending, work: Promise<T>): Promise<T> => {
    const callOff = clock.after(Math.max(0, ms), () => end(late(), "now"));
    return work.finally(callOff);
  };
  /** The phone's turn, then the gateway's word that the Task is still wanted: before it the phone is not touched. */
  const begin = async (waitUntil: number) => {
    const noTurn = () => (ticket.waitsFor() === "phone" ? endings.phoneAway : endings.noTurn);
    await within(waitUntil - clock.now(), noTurn, ticket.take(soft.signal));
    phase = "begun";
    const told = events.stored(teller.status("TASK_STATE_WORKING"), soft.signal);
    await within(Math.max(start.leaseMs, waitUntil - clock.now()), () => endings.linkLost, told);
    lease.start();
  };
  const ask: TaskWork["ask"] = async (state, question) => {
    soft.signal.throwIfAborted();
    await calls.idle();
    lease.stop();
    ticket.giveBack();
    const answered = createDeferred<Message>();
    answer = answered.resolve;
    teller.status(state, question);
    const message = await Promise.race([answered.promise, rejectedBy(soft.signal)]);
    await begin(clock.now() + start.waitMs);
    return message;
  };
  const work = async (): Promise<Ending> => {
    await begin(options.at + start.waitMs);
    if (!executor) throw new CodedError("unsupported", "This device agent has no such skill any more.");
    const { taskId, contextId, message } = start;
    const { signal } = soft;
    const { say, emit } = teller;
    const now = () => clock.now();
    const given = { taskId, contextId, message, signal, tools: calls, now, say, emit, ask, ...options.around };
    return Promise.race([executor.run(given), letGo()]);
  };
  /** What has to stop at once may still tell what it did. */
  const letGo = async (): Promise<never> => {
    await rejectedBy(hard.signal).catch(() => {});
    await pause(clock, letGoMs);
    throw hard.signal.reason;
  };
  const byError = (thrown: unknown): Ending => {
    const error = toCodedError(thrown, options.newErrorId());
    const fields = { taskId: start.taskId, code: error.code, cause: error.cause };
    if (error.code === "internal") options.log.error("A Task failed", fields);
    return endings.byError(error);
  };

  return {
    async live() {
      const own = await work().catch(byError);
      await calls.idle();
      lease.stop();
      abortAll();
      phase = "over";
      teller.close();
      if (ending !== "silent") {
        const { state, text } = ending === "canceled" ? endings.canceled(calls) : (ending ?? own);
        teller.last(state, text);
      }
      ticket.leave();
      ended.resolve();
    },
    message(message) {
      if (!answer || seen.has(message.messageId)) return;
      seen.add(message.messageId);
      answer(message);
      answer = undefined;
    },
    cancel: () => end("canceled", phase === "waiting" ? "now" : "after this step"),
    prolong: (until) => lease.prolong(until),
    drop: () => end("silent", "now"),
    async stop(graceMs) {
      if (phase === "waiting") end("silent", "now");
      else end(endings.stopped, "after this step");
      await Promise.race([ended.promise, pause(clock, graceMs)]);
      abortAll();
      await ended.promise;
      await events.flushed();
    },
  };
}

const isOver = () => new CodedError("canceled", "The Task is over.");

/** Rejects when the signal aborts, with its reason. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
