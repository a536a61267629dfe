import type { Clock } from "../../../shared/clock.ts";
import type { ScreenShape, ScreenStatus } from "../../../shared/device.ts";
import type { SeenScreen } from "./status-reader.ts";

/** As long as it takes at most from a look at the screen to the touch that follows from it. */
const RECENT_MS = 2_000;

/** What was last seen of each display of one phone. */
export interface RecentScreens {
  /** Looks anew. Throws `target_not_found` for a display that the phone does not have. */
  status(display: number, signal: AbortSignal): Promise<ScreenStatus>;
  /** As the last status told it, or a new one if that was too long ago. */
  shape(display: number, signal: AbortSignal): Promise<ScreenShape>;
  /** Whether an app was in front on another display than the main one, at the last look. */
  readonly hasAppsElsewhere: boolean;
  /** Where keys went, at the last look. */
  readonly focusedDisplay: number;
}

/** Spares a touch a round trip: whoever touches has read the status a moment before. */
export function createRecentScreens(
  clock: Clock,
  look: (display: number, signal: AbortSignal) => Promise<SeenScreen>,
): RecentScreens {
  const last = new Map<number, { told: ScreenShape; at: number }>();
  let seen: Pick<SeenScreen, "hasAppsElsewhere" | "focusedDisplay"> = { hasAppsElsewhere: false, focusedDisplay: 0 };
  const status = async (display: number, signal: AbortSignal) => {
    last.delete(display);
    const now = await look(display, signal);
    seen = now;
    last.set(display, { told: now.status, at: clock.now() });
    return now.status;
  };
  return {
    status,
    async shape(display, signal) {
      const recent = last.get(display);
      return recent && clock.now() - recent.at < RECENT_MS ? recent.told : status(display, signal);
    },
    get hasAppsElsewhere() {
      return seen.hasAppsElsewhere;
    },
    get focusedDisplay() {
      return seen.focusedDisplay;
    },
  };
}
