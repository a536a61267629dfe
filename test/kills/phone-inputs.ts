import type { SimulatedPhone } from "../../device-agent/simulated-phone/simulated-phone.ts";
import { type PlannedStep, type PlannedTask, panelPixelsPerUnit } from "./plan.ts";
import { fieldPlace } from "./prepare.ts";

/** When each of a Task's steps was seen on its phone, at each time; steps that leave no trace of their own: undefined. */
export type StepTimes = (number[] | undefined)[];

type Input = SimulatedPhone["screen"]["receivedInputs"][number];

/** What a phone got since the beginning of a run, sorted to the steps of the run's Tasks. */
export interface PhoneInputs {
  of(task: PlannedTask): StepTimes;
  keys(name: "KEYCODE_VOLUME_UP" | "KEYCODE_VOLUME_DOWN"): number;
  /** Touches and texts that neither these Tasks make nor the preparation of the next run. */
  strays(tasks: readonly PlannedTask[]): string[];
}

export function readInputs(phone: SimulatedPhone, sinceAt: number): PhoneInputs {
  const inputs = phone.screen.receivedInputs.filter(({ at }) => at >= sinceAt);
  const traces = inputs.filter((input) => touchOf(input) || input.kind === "text");
  const timesOf = ({ trace }: PlannedStep) =>
    trace.kind === "touch" || trace.kind === "text"
      ? traces.filter((input) => shows(input, trace)).map(({ at }) => at)
      : undefined;
  return {
    of: ({ steps }) => steps.map(timesOf),
    keys: (name) => inputs.filter(({ kind, detail }) => kind === "key" && detail === name).length,
    strays(tasks) {
      const preparing: PlannedStep["trace"] = { kind: "touch", ...fieldPlace };
      const all = [preparing, ...tasks.flatMap(({ steps }) => steps.map(({ trace }) => trace))];
      return traces
        .filter((input) => !all.some((trace) => shows(input, trace)))
        .map(({ kind, detail, at }) => `${kind} ${detail} at ${at}`);
    },
  };
}

function shows(input: Input, trace: PlannedStep["trace"]): boolean {
  if (trace.kind === "text") return input.kind === "text" && input.detail === trace.text;
  const touch = touchOf(input);
  if (trace.kind !== "touch" || !touch) return false;
  const isNear = (panel: number, unit: number) => Math.abs(panel / panelPixelsPerUnit - unit) < 3;
  return isNear(touch.x, trace.x) && isNear(touch.y, trace.y);
}

/** Where a finger came down, whichever way the touch went. */
function touchOf({ kind, detail }: Input): { x: number; y: number } | undefined {
  const words = detail.split(" ");
  if (kind === "motion") return words[0] === "down" ? { x: Number(words[2]), y: Number(words[3]) } : undefined;
  return ["tap", "swipe", "drag"].includes(kind) ? { x: Number(words[0]), y: Number(words[1]) } : undefined;
}
