import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { tellableHolder } from "../leases/refusals.ts";
import type { TaskAtWork } from "./turns.ts";

/** A guess: many Tasks are over by then. */
const retryAfterMs = 5_000;

/** Somebody wants to act on a phone on which a Task works. */
export function phoneAtTask({ subject, caller }: TaskAtWork, asking: string): CodedError {
  const whose = caller === asking ? "Your own Task" : `A Task of ${tellableHolder(subject)}`;
  return new CodedError("device_busy", `${whose} is at work on this phone; nothing was sent.`, {
    hint: "Wait until the Task is over, or choose another phone; looking at this one is allowed.",
    retryAfterMs,
  });
}

/** Why a Task is not taken. */
export const refusals = {
  noSkill: () =>
    new CodedError("unsupported", "This device agent has no such skill.", {
      hint: "Use a skill that the Agent Card names, or update the device agent.",
    }),
  noPhone: () => new CodedError("device_not_found", "This device agent has never seen such a phone."),
  tooMany: () =>
    new CodedError(
      "rate_limited",
      `This device agent already has ${limits.activeTasksPerDeviceAgent} Tasks that are not over.`,
      { hint: "Wait until one of them is over, or cancel one.", retryAfterMs },
    ),
  noDisk: (cause: unknown) =>
    new CodedError("internal", "The device agent cannot write its journal, so the Task was not taken.", {
      hint: "Ask the operator to look at the disk of the device agent.",
      cause,
    }),
};
