import type { Clock } from "../../../shared/clock.ts";
import type { ScreenShape, ScreenStatus } from "../../../shared/device.ts";

type ReadStatus = (signal: AbortSignal) => Promise<ScreenStatus>;

/** As long as it takes at most from a look at the screen to the touch that follows from it. */
const RECENT_MS = 2_000;

export interface RecentShape {
  status: ReadStatus;
  /** As the last status told it, or a new one if that was too long ago. */
  shape(signal: AbortSignal): Promise<ScreenShape>;
}

/** Spares a touch a round trip: whoever touches has read the status a moment before. */
export function createRecentShape(clock: Clock, read: ReadStatus): RecentShape {
  let last: { told: ScreenShape; at: number } | undefined;
  const status: ReadStatus = async (signal) => {
    const told = await read(signal);
    last = { told, at: clock.now() };
    return told;
  };
  return {
    status,
    async shape(signal) {
      return last && clock.now() - last.at < RECENT_MS ? last.told : status(signal);
    },
  };
}
