import type { LinkOwner } from "./link-owner.ts";
import type { PendingStreams } from "./pending-streams.ts";

/** What the accepting side of links asks of a relay that holds sockets in its own process. */
export interface LinkRegistry {
  ownerOf(deviceAgentId: string): LinkOwner;
  streams: PendingStreams;
}
