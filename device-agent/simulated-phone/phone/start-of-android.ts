import type { PhoneProfile } from "../options.ts";

/** Android between the start of adbd and the end of its own start, while most of its services are not there. */
export interface StartOfAndroid {
  readonly isOver: boolean;
  /** Begins anew; over after `ms`, or by `finish`. */
  begin(ms: number): void;
  finish(): void;
  /** Lets the time pass without an end. */
  stop(): void;
}

/** ActivityManagerService.finishBooting sets the first two, init the third. */
const STARTED = { "sys.boot_completed": "1", "dev.bootcomplete": "1", "init.svc.bootanim": "stopped" };

export function createStartOfAndroid({ clock, quirks }: PhoneProfile, properties: Map<string, string>): StartOfAndroid {
  let life: AbortController | undefined;
  const say = () => {
    if (quirks.neverSaysStarted) unsay();
    else for (const [name, value] of Object.entries(STARTED)) properties.set(name, value);
  };
  const unsay = () => {
    properties.delete("sys.boot_completed");
    properties.delete("dev.bootcomplete");
    properties.set("init.svc.bootanim", "running");
  };
  const start: StartOfAndroid = {
    get isOver() {
      return life === undefined;
    },
    begin(ms) {
      life?.abort();
      if (ms <= 0) return start.finish();
      const own = new AbortController();
      life = own;
      unsay();
      if (Number.isFinite(ms)) clock.sleep(ms, own.signal).then(start.finish, () => {});
    },
    finish() {
      life?.abort();
      life = undefined;
      say();
    },
    stop: () => life?.abort(),
  };
  return start;
}
