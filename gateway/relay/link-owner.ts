import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { closeCodes, type ToGateway } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import { clip, reportedError } from "./clip.ts";
import type { Link } from "./link.ts";
import { createPendingCall, type PendingCall } from "./pending-call.ts";
import type { CallOptions, RelayAnswer, RelayCall, RelayPicture, RelayTarget } from "./relay.ts";
import { neverSeen, resumeCall, sendCall } from "./send-call.ts";

/** Everything that this process knows of one device agent: its newest link and the calls under way. */
export interface LinkOwner {
  call(target: RelayTarget, call: RelayCall, options: CallOptions): Promise<RelayAnswer>;
  /** Takes a newer link over; false when one with a higher connectSeq is held already. */
  attach(link: Link): boolean;
  receive(link: Link, message: ToGateway, body: Uint8Array): void;
  /** A frame about this call could not be used. */
  spoiled(link: Link, callId: string, error: CodedError): void;
  detach(link: Link): void;
  link(): Link | null;
  pendingCalls(): number;
  /** Ends all that is left; nothing is sent any more. */
  stop(error: CodedError): void;
}

export function createLinkOwner(deps: {
  clock: Clock;
  log: Logger;
  version: string;
  /** Since when the link may be missing only because nothing had time to dial. */
  expectedSince: number;
}): LinkOwner {
  const { clock, log, version } = deps;
  const pending = new Map<string, PendingCall>();
  /** Calls that were given up while no link could tell the device agent so. */
  const unsentCancels = new Set<string>();
  let current: Link | null = null;
  let lostAt = deps.expectedSince;

  const offline = (retryAfterMs?: number) =>
    new CodedError("device_offline", "The device agent of this device is not connected.", { retryAfterMs });

  const sendCancel = (one: PendingCall) => {
    if (one.sentOnBoot === null) return;
    if (current) current.send({ type: "cancel", id: one.call.id });
    else if (unsentCancels.size < limits.callsPerDeviceAgent) unsentCancels.add(one.call.id);
  };

  const atDeadline = (one: PendingCall) => {
    if (current && one.sentOnBoot !== null) {
      sendCancel(one);
      one.reject(new CodedError("deadline_exceeded", "The call did not end in time."));
    } else if (one.sentOnBoot !== null && one.call.effect !== "read") {
      one.reject(new CodedError("outcome_unknown", "The link was lost during the call and did not come back in time."));
    } else one.reject(offline());
  };

  const begin = (target: RelayTarget, call: RelayCall, wantsProgress: boolean): PendingCall => {
    const one: PendingCall = createPendingCall({
      target,
      call,
      wantsProgress,
      clock,
      onDeadline: () => atDeadline(one),
      onAbandoned: () => sendCancel(one),
      onSettled: () => {
        if (pending.get(call.id) === one) pending.delete(call.id);
      },
    });
    pending.set(call.id, one);
    return one;
  };

  /** A call that no link could take yet waits as long as a device agent needs to come back. */
  const awaitLink = (one: PendingCall) => {
    clock.after(Math.max(0, lostAt + limits.linkGraceMs - clock.now()), () => {
      if (!one.sentOnBoot !== null && !current) one.reject(offline());
    });
  };

  return {
    async call(target, call, options) {
      const same = pending.get(call.id);
      if (same && same.call.digest !== call.digest) {
        throw new CodedError("invalid_argument", "This idempotency key was used for another call.");
      }
      if (same) return same.join(options);
      if (!current && clock.now() >= lostAt + limits.linkGraceMs) throw offline();
      const busy = whyBusy(current, pending.size);
      if (busy) throw busy;
      const one = begin(target, call, options.onProgress !== undefined);
      const answer = one.join(options);
      if (current) sendCall(current, one, version);
      else awaitLink(one);
      return answer;
    },

    attach(link) {
      if (current && current.hello.connectSeq >= link.hello.connectSeq) return false;
      const old = current;
      current = link;
      old?.close(closeCodes.replaced, "replaced by a newer link");
      for (const id of unsentCancels) link.send({ type: "cancel", id });
      unsentCancels.clear();
      for (const one of [...pending.values()]) resumeCall(link, one, version);
      return true;
    },

    receive(link, message, body) {
      if (link !== current || !("id" in message)) return;
      const one = pending.get(message.id);
      if (!one) return;
      if (message.type === "progress") return report(one, message);
      if (message.type === "error") return one.reject(reportedError(message.error));
      if (message.type === "call_state") return message.state === "unknown" ? neverSeen(link, one, version) : undefined;
      const pictures = cutPictures(message.pictures, body);
      if (pictures) return one.resolve({ output: message.output, pictures });
      log.warn("a result's pictures do not fit its bytes", { deviceAgentId: link.deviceAgentId, callId: message.id });
      one.reject(new CodedError("internal", "The device agent sent a result that cannot be read."));
    },

    spoiled(link, callId, error) {
      if (link === current) pending.get(callId)?.reject(error);
    },

    detach(link) {
      if (link !== current) return;
      current = null;
      lostAt = clock.now();
      for (const one of pending.values()) if (one.sentOnBoot === null) awaitLink(one);
    },

    link: () => current,
    pendingCalls: () => pending.size,
    stop(error) {
      for (const one of [...pending.values()]) {
        sendCancel(one);
        one.reject(error);
      }
    },
  };
}

function report(one: PendingCall, { progress, total, message }: Extract<ToGateway, { type: "progress" }>): void {
  one.progress(progress, total, message === undefined ? undefined : clip(message));
}

function whyBusy(link: Link | null, calls: number): CodedError | null {
  if (calls >= limits.callsPerDeviceAgent) {
    return new CodedError("device_busy", `${limits.callsPerDeviceAgent} calls are already under way there.`, {
      retryAfterMs: 1_000,
    });
  }
  if (!link || link.bufferedBytes() <= limits.linkBufferBytes) return null;
  return new CodedError("device_busy", "The link to the device agent is full.", { retryAfterMs: 1_000 });
}

/** Null when the sizes in the head do not add up to the body. */
function cutPictures(
  heads: readonly { mimeType: string; width: number; height: number; bytes: number }[],
  body: Uint8Array,
): RelayPicture[] | null {
  if (heads.reduce((sum, head) => sum + head.bytes, 0) !== body.length) return null;
  let offset = 0;
  return heads.map(({ mimeType, width, height, bytes }) => {
    const start = offset;
    offset += bytes;
    return { mimeType, width, height, bytes: body.subarray(start, offset) };
  });
}
