import { CodedError } from "../../shared/errors.ts";
import type { Link } from "./link.ts";
import type { PendingCall } from "./pending-call.ts";
import type { RelayCall } from "./relay.ts";

/** Kept back from a call's time, so that the device agent's own word on a deadline arrives before ours. */
const answerMs = 1_000;

/** Sends a call, or ends it when the device agent cannot serve it. `version` is the gateway's own. */
export function sendCall(link: Link, one: PendingCall, version: string): void {
  const refusal = whyNot(link, one.call, version);
  if (refusal) {
    one.reject(refusal);
    return;
  }
  const { id, tool, digest, principal } = one.call;
  one.sentOnBoot = link.hello.bootId;
  link.send({
    type: "call",
    id,
    tool,
    arguments: one.call.arguments,
    digest,
    device: one.target.deviceKey,
    principal,
    scopes: [...one.call.scopes],
    timeoutMs: Math.max(1, one.remainingMs() - answerMs),
    wantsProgress: one.wantsProgress,
  });
}

/** Takes up a call on a newer link: a write that may have arrived is asked for, anything else is sent. */
export function resumeCall(link: Link, one: PendingCall, version: string): void {
  if (one.sentOnBoot !== null && one.call.effect !== "read") link.send({ type: "recall", id: one.call.id });
  else sendCall(link, one, version);
}

/** The device agent does not know the call. Only the boot to which it was sent can know that it never ran. */
export function neverSeen(link: Link, one: PendingCall, version: string): void {
  if (one.sentOnBoot === link.hello.bootId) sendCall(link, one, version);
  else one.reject(new CodedError("outcome_unknown", "The device agent restarted during the call."));
}

function whyNot(link: Link, call: RelayCall, version: string): CodedError | null {
  if (link.hello.tools[call.tool] === call.toolDigest) return null;
  return new CodedError("unsupported", `The device agent does not serve this form of ${call.tool}.`, {
    hint: `The gateway is version ${version} and the device agent ${link.hello.version}: install the same version on both.`,
  });
}
