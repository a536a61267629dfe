import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { closeCodes } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import type { Link } from "./link.ts";
import { createLinkOwner, type LinkOwner } from "./link-owner.ts";
import type { LinkRegistry } from "./link-registry.ts";
import { createPendingStreams } from "./pending-streams.ts";
import type { Relay } from "./relay.ts";

/** The relay of one Node process: a map. */
export interface InProcessRelay extends Relay, LinkRegistry {
  /** Tells every device agent to dial again later. New calls still run until `stop`. */
  drain(reconnectInMs: number): void;
  pendingCalls(): number;
  /** Ends what is left with `error` and closes every link. */
  stop(error: CodedError): void;
}

export function createInProcessRelay(deps: {
  clock: Clock;
  log: Logger;
  version: string;
  randomId: () => string;
}): InProcessRelay {
  const { clock } = deps;
  const startedAt = clock.now();
  const owners = new Map<string, LinkOwner>();
  const streams = createPendingStreams(deps);
  let stopped: CodedError | null = null;

  const ownerOf = (deviceAgentId: string): LinkOwner => {
    const known = owners.get(deviceAgentId);
    if (known) return known;
    const owner = createLinkOwner({ ...deps, expectedSince: startedAt });
    owners.set(deviceAgentId, owner);
    return owner;
  };
  const links = (): Link[] => [...owners.values()].flatMap((owner) => owner.link() ?? []);

  return {
    ownerOf,
    streams,
    async call(target, call, options = {}) {
      // A request may be on its way through the gateway when it stops.
      if (stopped) throw stopped;
      return ownerOf(target.deviceAgentId).call(target, call, options);
    },
    async online(ids) {
      return new Set(ids.filter((id) => owners.get(id)?.link() != null));
    },
    async notify(deviceAgentId, message) {
      const link = owners.get(deviceAgentId)?.link();
      link?.send(message);
      return link != null;
    },
    async openStream(target, request, signal) {
      const link = owners.get(target.deviceAgentId)?.link();
      if (!link) throw new CodedError("device_offline", "The device agent of this device is not connected.");
      return streams.open(link, target.deviceKey, request, signal);
    },
    drain(reconnectInMs) {
      for (const link of links()) link.send({ type: "drain", reconnectInMs });
    },
    pendingCalls: () => [...owners.values()].reduce((sum, owner) => sum + owner.pendingCalls(), 0),
    stop(error) {
      stopped = error;
      for (const owner of owners.values()) owner.stop(error);
      for (const link of links()) link.close(closeCodes.goingAway, "the gateway stops");
    },
  };
}
