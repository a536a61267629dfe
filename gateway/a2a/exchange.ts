import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { scopeChallenge } from "../auth/challenge.ts";
import type { Principal } from "../auth/principal.ts";
import type { DirectoryDevice } from "../directory.ts";
import { eventStream } from "./event-stream.ts";
import type { Operation } from "./operations.ts";
import { Refusal } from "./refusal.ts";
import type { StopBell } from "./stop-bell.ts";

/** One request of an authenticated principal. */
export interface Exchange {
  request: Request;
  body: Uint8Array;
  principal: Principal;
  /** Of `/a2a/<device>`. */
  device: DirectoryDevice | null;
  /** Whether the token that came with it still holds. */
  stillValid: () => Promise<boolean>;
}

/** How a binding writes what a method gives. */
export interface Writer {
  result(value: object): Response | Promise<Response>;
  /** One StreamResponse, as the data of an event. */
  frame(item: object): string;
  failure(thrown: unknown): { event?: string; data: string };
}

/** Runs one method for a caller who may call it, and writes its answer. Throws what the method throws. */
export async function perform(
  deps: { clock: Clock; stopBell: StopBell },
  operation: Operation,
  exchange: Exchange,
  params: unknown,
  writer: Writer,
): Promise<Response> {
  const { request, principal, device, stillValid } = exchange;
  requireScope(operation, principal);
  const { signal, release } = untilGone(request.signal, deps.stopBell);
  const caller = { principal, device, signal, lastEventId: lastEventIdOf(request) };
  if (operation.kind === "unary") {
    return writer.result(await operation.run(caller, params).finally(release));
  }
  try {
    const updates = await operation.open(caller, params);
    const { frame, failure } = writer;
    return eventStream({ ...deps, updates, frame, failure, stillValid, release });
  } catch (thrown) {
    release();
    throw thrown;
  }
}

function requireScope({ needs }: Operation, { scopes }: Principal): void {
  if (needs === null || scopes.includes(needs)) return;
  const error = new CodedError("permission_denied", `The token lacks the permission ${needs}.`);
  throw new Refusal(error, 403, { "www-authenticate": scopeChallenge(error, needs) });
}

/** Aborts when the client is gone, when the gateway stops, and with `release`, which also lets go of both. */
function untilGone(gone: AbortSignal, stopBell: StopBell): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  gone.addEventListener("abort", abort, { once: true });
  const stopListening = stopBell.listen(abort);
  if (gone.aborted || stopBell.hasRung()) abort();
  return {
    signal: controller.signal,
    release() {
      gone.removeEventListener("abort", abort);
      stopListening();
      abort();
    },
  };
}

/** Anything but a number of ours is nothing to go on from. */
function lastEventIdOf(request: Request): number | undefined {
  const told = request.headers.get("last-event-id") ?? "";
  return /^\d{1,15}$/.test(told) ? Number(told) : undefined;
}
