import { beforeEach, describe, expect, it } from "vitest";
import type { DirectoryDevice } from "../../gateway/directory.ts";
import { createDirectoryCache } from "../../gateway/directory-cache.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let load: () => Promise<DirectoryDevice[]>;
let reads: number;

function createCache() {
  return createDirectoryCache({
    directory: {
      load: () => {
        reads++;
        return load();
      },
      admitDeviceAgent: async () => true,
      saveReport: async (deviceAgentId) => [device(deviceAgentId, "written")],
      page: async () => ({ devices: [], nextCursor: null }),
    },
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
}

const device = (deviceAgentId: string, name: string) => ({ deviceAgentId, name }) as DirectoryDevice;
const names = (cache: ReturnType<typeof createCache>) => cache.devices().map(({ name }) => name);

beforeEach(() => {
  clock = createManualClock();
  reads = 0;
  load = async () => [];
});

describe("the directory in memory", () => {
  it("is read anew every fifteen seconds, without any call", async () => {
    const cache = createCache();
    await cache.refresh();
    await clock.advance(60_000);
    expect(reads).toBe(5);
    cache.stop();
    expect(clock.waiting()).toBe(0);
  });

  it("answers nothing any more when it could not be read for a minute, and recovers", async () => {
    const cache = createCache();
    await cache.refresh();
    load = () => Promise.reject(new TypeError("disk is gone"));
    await clock.advance(60_000);
    expect(names(cache)).toEqual([]);
    await clock.advance(1);
    expect(() => cache.devices()).toThrow("cannot read its directory");
    load = async () => [device("da_1", "back")];
    await clock.advance(15_000);
    expect(names(cache)).toEqual(["back"]);
  });

  it("shows at once what this instance writes", async () => {
    load = async () => [device("da_1", "old"), device("da_2", "other")];
    const cache = createCache();
    await cache.refresh();
    await cache.directory.saveReport("da_1", [], 0);
    expect(names(cache)).toEqual(["other", "written"]);
  });

  it("does not forget a write that happened while it was read", async () => {
    const cache = createCache();
    let finish: (devices: DirectoryDevice[]) => void = () => {};
    load = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const refreshed = cache.refresh();
    await cache.directory.saveReport("da_1", [], 0);
    load = async () => [device("da_1", "written")];
    finish([]);
    await refreshed;
    expect(names(cache)).toEqual(["written"]);
  });
});
