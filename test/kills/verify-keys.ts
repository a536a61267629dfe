import type { PhoneInputs } from "./phone-inputs.ts";
import { toldSteps, type Work } from "./verify-work.ts";

/** Keys look alike whoever presses them; they are counted, between what was told and what may have been under way. */
export function verifyKeys(works: readonly Work[], inputs: Pick<PhoneInputs, "keys">): string[] {
  return (["KEYCODE_VOLUME_UP", "KEYCODE_VOLUME_DOWN"] as const).flatMap((key) => {
    let [least, most] = [0, 0];
    for (const { task, log } of works) {
      const { ended } = toldSteps(log);
      const wasCut = log.task.status.state === "TASK_STATE_FAILED";
      for (const [step, { trace }] of task.steps.entries()) {
        if (trace.kind !== "key" || trace.key !== key) continue;
        if (step < ended) least += 1;
        if (step < ended || wasCut) most += 1;
      }
    }
    const pressed = inputs.keys(key);
    return pressed < least || pressed > most ? [`${key} was pressed ${pressed} times, not ${least} to ${most}`] : [];
  });
}
