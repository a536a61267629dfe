import type { Clock } from "../shared/clock.ts";
import { CodedError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Directory, DirectoryDevice } from "./directory.ts";

const refreshMs = 15_000;
const failClosedMs = 60_000;

/** The directory as calls see it: in memory, never older than a minute, so that no call waits for the store. */
export interface DirectoryCache {
  /** Throws `device_offline` when the store could not be read for a minute. */
  devices(): readonly DirectoryDevice[];
  /** Reads the store now. */
  refresh(): Promise<void>;
  stop(): void;
}

/** Wraps a Directory so that what this instance writes shows in the cache at once. Call `refresh` before use. */
export function createDirectoryCache(deps: {
  directory: Directory;
  clock: Clock;
  log: Logger;
}): DirectoryCache & { directory: Directory } {
  const { directory, clock, log } = deps;
  let devices: readonly DirectoryDevice[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let callOff = () => {};
  let stopped = false;
  let writes = 0;

  const refresh = async () => {
    for (;;) {
      const startedAt = clock.now();
      const before = writes;
      const fresh = await directory.load();
      // What was written meanwhile may be missing in what was read.
      if (writes !== before) continue;
      devices = fresh;
      readAt = startedAt;
      return;
    }
  };
  const schedule = () => {
    callOff();
    if (stopped) return;
    callOff = clock.after(refreshMs, () => {
      refresh()
        .catch((cause) => log.error("reading the directory failed", { cause }))
        .finally(schedule);
    });
  };

  return {
    devices() {
      if (clock.now() - readAt <= failClosedMs) return devices;
      throw new CodedError("device_offline", "The gateway cannot read its directory of devices now.", {
        hint: "Call again in a moment.",
        retryAfterMs: 5_000,
      });
    },
    async refresh() {
      await refresh();
      schedule();
    },
    stop() {
      stopped = true;
      callOff();
    },
    directory: {
      ...directory,
      async saveReport(deviceAgentId, reports, now) {
        const saved = await directory.saveReport(deviceAgentId, reports, now);
        writes++;
        devices = [...devices.filter((device) => device.deviceAgentId !== deviceAgentId), ...saved];
        return saved;
      },
    },
  };
}
