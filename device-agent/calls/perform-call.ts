import { type Clock, pause } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Call } from "../../shared/link/messages.ts";
import { type DeviceTool, parseArguments, type ToolResult } from "../../shared/tools/define-tool.ts";
import type { Journal } from "../journal/journal.ts";
import type { Phones } from "../phones.ts";
import { dependsOnForeground, permitForeground, permitNamedApp } from "../policy/app-limits.ts";
import type { Policy } from "../policy/policy.ts";
import type { PhoneQueues } from "../queue/phone-queues.ts";
import type { Gate } from "./gate.ts";
import type { PicturesSeen } from "./pictures-seen.ts";
import type { RunningCall } from "./running-call.ts";

/** How long a handler may take to notice that it was aborted before the phone's next writer goes on without it. */
const letGoMs = 5_000;

export interface PerformCallDeps {
  clock: Clock;
  gate: Gate;
  policy: Policy;
  phones: Phones;
  queues: PhoneQueues;
  journal: Journal;
  pictures: PicturesSeen;
}

/** The way of one call to its phone; every step may end it with a CodedError. */
export async function performCall(
  deps: PerformCallDeps,
  tool: DeviceTool | undefined,
  running: RunningCall,
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
  // Approval by the owner belongs here, then the lease.
  const work = () => atThePhone(deps, tool, running, input);
  return untilAborted(deps.queues.run(report.key, tool.effect, signal, work), signal);
}

async function atThePhone(
  deps: PerformCallDeps,
  tool: DeviceTool,
  running: RunningCall,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  const { call, signal } = running;
  signal.throwIfAborted();
  running.started = true;
  const device = deps.phones.open(call.device);
  const appLimits = deps.policy.appLimits();
  if (dependsOnForeground(appLimits, tool, input)) permitForeground(appLimits, await device.foreground(signal));
  if (tool.effect !== "read") await deps.journal.begin(entryOf(call));
  signal.throwIfAborted();
  const handling = tool.handle(
    {
      device,
      pictures: deps.pictures.of(callerOf(call), call.device),
      signal,
      progress: running.progress,
      pause: (ms) => pause(deps.clock, ms, signal),
      now: () => deps.clock.now(),
    },
    call.arguments,
  );
  return orLetGo(deps.clock, handling, signal);
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
