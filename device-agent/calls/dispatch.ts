import { type Clock, pause } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Call } from "../../shared/link/messages.ts";
import type { DeviceTool } from "../../shared/tools/define-tool.ts";
import type { Journal } from "../journal/journal.ts";
import type { LinkConnection } from "../link/open-link.ts";
import { sendAnswer } from "./answer.ts";
import { type CarryOutDeps, carryOut } from "./carry-out.ts";
import { callerOf } from "./perform-call.ts";
import { type CallAtWork, createRunningCall, type RunningCall } from "./running-call.ts";
import { createSteps } from "./steps.ts";

export interface DispatchDeps extends Omit<CarryOutDeps, "stepsOf"> {
  clock: Clock;
  tools: readonly DeviceTool[];
  journal: Journal;
}

/** Calls of the gateway, from arrival to answer. A call id is worked on once, however often it arrives. */
export interface Dispatch {
  call(call: Call, connection: LinkConnection): void;
  /** Answers with the stored answer, or with what is known of the call. */
  recall(id: string, connection: LinkConnection): void;
  cancel(id: string): void;
  /** Takes no new calls; what is at a phone may finish for `graceMs`. Resolves when everything is answered. */
  stop(graceMs: number): Promise<void>;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  const { clock, journal } = deps;
  const tools = new Map(deps.tools.map((tool) => [tool.name, tool]));
  const runningCalls = new Map<string, { running: RunningCall; done: Promise<void> }>();
  let stopping = false;

  const stepsOf = (around: CallAtWork) =>
    createSteps({ clock, tools, around, carryOut: (tool, step) => carryOut(workDeps, tool, step) });
  const workDeps: CarryOutDeps = { ...deps, stepsOf };
  const start = (call: Call, connection: LinkConnection) => {
    const tool = tools.get(call.tool);
    const timeoutMs = Math.min(call.timeoutMs, tool?.timeoutMs ?? call.timeoutMs);
    const running = createRunningCall({ clock, call, timeoutMs, connection });
    const done = workOn(workDeps, journal, tool, running).finally(() => runningCalls.delete(call.id));
    runningCalls.set(call.id, { running, done });
  };

  return {
    call(call, connection) {
      const known = runningCalls.get(call.id)?.running;
      if (known) {
        if (!isSame(call, { ...known.call, principal: callerOf(known.call) }))
          return refuse(connection, call.id, reusedId());
        return known.attach(connection);
      }
      const remembered = journal.find(call.id);
      if (remembered && !isSame(call, remembered)) return refuse(connection, call.id, reusedId());
      if (remembered?.state === "answered") return void sendAnswer(connection, call.id, remembered.answer);
      if (remembered) return refuse(connection, call.id, lostOutcome());
      if (stopping) return refuse(connection, call.id, stops());
      if (runningCalls.size >= limits.callsPerDeviceAgent) return refuse(connection, call.id, tooManyCalls());
      start(call, connection);
    },
    recall(id, connection) {
      const known = runningCalls.get(id)?.running;
      known?.attach(connection);
      const remembered = known ? undefined : journal.find(id);
      if (remembered?.state === "answered") void sendAnswer(connection, id, remembered.answer);
      else if (remembered) refuse(connection, id, lostOutcome());
      else void connection.send({ type: "call_state", id, state: known ? "running" : "unknown" });
    },
    cancel(id) {
      runningCalls.get(id)?.running.cancel();
    },
    async stop(graceMs) {
      stopping = true;
      const all = [...runningCalls.values()];
      for (const { running } of all) if (!running.started) running.abort(stops());
      const done = Promise.all(all.map((entry) => entry.done));
      await Promise.race([done, pause(clock, graceMs)]);
      for (const { running } of runningCalls.values()) running.abort(stoppedMidway(tools.get(running.call.tool)));
      await done;
    },
  };
}

async function workOn(
  deps: CarryOutDeps,
  journal: Journal,
  tool: DeviceTool | undefined,
  running: RunningCall,
): Promise<void> {
  const answer = await carryOut(deps, tool, running);
  journal.finish(running.call.id, answer);
  await running.finish(answer);
}

function isSame(call: Call, known: { digest: string; principal: string }): boolean {
  return call.digest === known.digest && callerOf(call) === known.principal;
}

function refuse(connection: LinkConnection, id: string, error: CodedError): void {
  void connection.send({ type: "error", id, error: error.toBody() });
}

const reusedId = () =>
  new CodedError("invalid_argument", "This call id, or idempotency key, was used for another call.", {
    hint: "Use a new key for a call with other arguments.",
  });
const lostOutcome = () =>
  new CodedError("outcome_unknown", "The device agent restarted in the middle of this call; it was not repeated.");
const stops = () => new CodedError("device_offline", "The device agent is stopping; nothing was sent to the phone.");
const tooManyCalls = () =>
  new CodedError("device_busy", `This device agent already works on ${limits.callsPerDeviceAgent} calls.`, {
    retryAfterMs: 1_000,
  });

function stoppedMidway(tool: DeviceTool | undefined): CodedError {
  if (tool?.effect === "read") return new CodedError("device_offline", "The device agent was stopped.");
  return new CodedError("outcome_unknown", "The device agent was stopped in the middle of this call.");
}
