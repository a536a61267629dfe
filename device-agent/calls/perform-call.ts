import type { BuildIdentity } from "../../shared/build-identity.ts";
import { type Clock, pause } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Call } from "../../shared/link/messages.ts";
import { type DeviceTool, parseArguments, type Steps, type ToolResult } from "../../shared/tools/define-tool.ts";
import type { Journal } from "../journal/journal.ts";
import { createLeaseDesk } from "../leases/lease-desk.ts";
import type { Leases } from "../leases/leases.ts";
import type { Phones } from "../phones.ts";
import { dependsOnForeground, permitForeground, permitNamedApp } from "../policy/app-limits.ts";
import type { Policy } from "../policy/policy.ts";
import type { PhoneQueues } from "../queue/phone-queues.ts";
import type { Spool } from "../spool/spool.ts";
import { phoneAtTask } from "../tasks/refusals.ts";
import type { TasksAtWork } from "../tasks/turns.ts";
import type { Gate } from "./gate.ts";
import type { PicturesSeen } from "./pictures-seen.ts";
import type { CallAtWork } from "./running-call.ts";

/** How long a handler may take to notice that it was aborted before the phone's next writer goes on without it. */
const letGoMs = 5_000;

export interface PerformCallDeps {
  clock: Clock;
  gate: Gate;
  policy: Policy;
  phones: Phones;
  leases: Leases;
  tasksAtWork: Pick<TasksAtWork, "on">;
  queues: PhoneQueues;
  journal: Journal;
  pictures: PicturesSeen;
  spool: Pick<Spool, "of">;
  build: BuildIdentity;
  stepsOf: (around: CallAtWork) => Steps;
}

/** The way of one call to its phone; every step may end it with a CodedError. */
export async function performCall(
  deps: PerformCallDeps,
  tool: DeviceTool | undefined,
  running: CallAtWork,
): Promise<ToolResult> {
  const { call, signal } = running;
  if (!tool) {
    throw new CodedError("unsupported", "This device agent has no such tool.", {
      hint: "Update the device agent, or use another tool.",
    });
  }
  const report = deps.gate.permitCall(call, tool);
  const input = parseArguments(tool.input, call.arguments);
  permitNamedApp(deps.policy.appLimits(), input);
  // Approval by the owner belongs here.
  permitWrite(deps, tool, running, input);
  const work = () => atThePhone(deps, tool, running, input);
  if (tool.touchesPhone === false) return untilAborted(work(), signal);
  return untilAborted(deps.queues.run(report.key, tool.effect, signal, work), signal);
}

async function atThePhone(
  deps: PerformCallDeps,
  tool: DeviceTool,
  running: CallAtWork,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  const { call, signal } = running;
  signal.throwIfAborted();
  // Somebody may have taken the phone while this call waited for its turn.
  permitWrite(deps, tool, running, input);
  running.started = true;
  const device = tool.touchesPhone === false ? undefined : deps.phones.open(call.device);
  const appLimits = deps.policy.appLimits();
  if (device && dependsOnForeground(appLimits, tool, input)) {
    permitForeground(appLimits, await device.foreground(signal));
  }
  if (tool.effect !== "read" && !running.isStep) await deps.journal.begin(entryOf(call));
  signal.throwIfAborted();
  const caller = callerOf(call);
  const { subject } = call.principal;
  const handling = tool.handle(
    {
      get device() {
        return device ?? deps.phones.open(call.device);
      },
      kept: deps.spool.of(call.principal),
      pictures: deps.pictures.of(caller, call.device),
      lease: createLeaseDesk({ ...deps, phone: call.device, caller, subject }),
      steps: deps.stepsOf(running),
      build: deps.build,
      signal,
      progress: running.progress,
      pause: (ms) => pause(deps.clock, ms, signal),
      now: () => deps.clock.now(),
    },
    call.arguments,
  );
  return orLetGo(deps.clock, handling, signal);
}

/** Throws when somebody holds the phone by a lease, or a Task is at work on it, and this write is none of theirs. */
function permitWrite(
  { leases, tasksAtWork }: Pick<PerformCallDeps, "leases" | "tasksAtWork">,
  tool: DeviceTool,
  { call, taskId }: CallAtWork,
  { lease_id }: Record<string, unknown>,
): void {
  if (tool.effect === "read" || tool.touchesPhone === false) return;
  const caller = callerOf(call);
  const lease = leases.on(call.device);
  const isHolder = lease?.caller === caller;
  const given = typeof lease_id === "string" ? lease_id : undefined;
  // A Task acts for its creator, and with what its creator holds.
  leases.permitWrite(call.device, caller, given ?? (taskId !== undefined && isHolder ? lease.id : undefined));
  const task = tasksAtWork.on(call.device);
  // Beside the lease of somebody else the Task cannot act anyway.
  if (!task || task.taskId === taskId || (isHolder && task.caller !== caller)) return;
  throw phoneAtTask(task, caller);
}

/** Who calls, as one text: the key of everything that is kept per caller. */
export function callerOf({ principal }: Pick<Call, "principal">): string {
  return JSON.stringify([principal.tenant, principal.subject]);
}

function entryOf(call: Call) {
  const { id, digest, tool, device } = call;
  return { id, digest, tool, device, principal: callerOf(call) };
}

/** The caller gets its answer at the deadline even if the phone does not let go. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Holds the phone's queue until the handler ended, but not for ever after an abort. */
function orLetGo<T>(clock: Clock, work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let callOff = () => {};
    const onAbort = () => {
      callOff = clock.after(letGoMs, () => reject(signal.reason));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      callOff();
      signal.removeEventListener("abort", onAbort);
    });
  });
}
