import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import type { Chore } from "../tasks/sweep.ts";

export interface Chores<Name extends string> {
  /** Does this one at the next opportunity, and again later if it is at work just now. */
  soon(name: Name): void;
  /** Begins nothing more; resolves when what is at work is done. */
  stop(): Promise<void>;
}

/** Does each chore again and again, one at a time each; one that fails is logged and done again when it is due. */
export function startChores<Name extends string>(options: {
  clock: Clock;
  log: Logger;
  chores: Record<Name, { everyMs: number; run: Chore }>;
}): Chores<Name> {
  const { clock, log } = options;
  const rounds = new Map<string, { soon: () => void; stop: () => Promise<void> }>();

  for (const [name, { everyMs, run }] of Object.entries<{ everyMs: number; run: Chore }>(options.chores)) {
    let isStopped = false;
    let isWanted = false;
    let atWork: Promise<void> | null = null;
    let callOff = () => {};
    const plan = (ms: number) => {
      callOff();
      if (!isStopped) callOff = clock.after(ms, begin);
    };
    const begin = () => {
      if (atWork || isStopped) return;
      isWanted = false;
      atWork = run(clock.now())
        .catch((cause: unknown) => log.error("a chore failed", { chore: name, cause }))
        .then(() => {
          atWork = null;
          plan(isWanted ? 0 : everyMs);
        });
    };
    plan(everyMs);
    rounds.set(name, {
      soon() {
        if (isWanted) return;
        isWanted = true;
        if (!atWork) plan(0);
      },
      async stop() {
        isStopped = true;
        callOff();
        await atWork;
      },
    });
  }

  return {
    soon: (name) => rounds.get(name)?.soon(),
    async stop() {
      await Promise.all([...rounds.values()].map((round) => round.stop()));
    },
  };
}
