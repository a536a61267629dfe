import { type Clock, pause } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/log.ts";
import { createCommandRunner } from "../shell/command-runner.ts";
import { type Identity, readIdentity } from "./identity.ts";
import type { Route } from "./route.ts";

export interface IdentifierParts {
  clock: Clock;
  random: () => number;
  logger: Logger;
  /** Called when something became known of a route. */
  changed: () => void;
}

interface Asking {
  identity: Identity | undefined;
  /** It has failed to answer at least once. */
  isMute: boolean;
  firstTry: Promise<void>;
  stop: AbortController;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** Asks the phone at the end of each new route who it is, until it answers or the route is gone. */
export class Identifier {
  readonly #parts: IdentifierParts;
  readonly #asked = new Map<Route, Asking>();

  constructor(parts: IdentifierParts) {
    this.#parts = parts;
  }

  /** Takes all routes that are there now; answers by any other no longer count. */
  update(routes: readonly Route[]): void {
    const ready = new Set(routes.filter((route) => route.state === "device"));
    for (const [route, asking] of this.#asked) {
      if (ready.has(route)) continue;
      asking.stop.abort();
      this.#asked.delete(route);
    }
    for (const route of ready) if (!this.#asked.has(route)) this.#asked.set(route, this.#ask(route));
  }

  identityOf(route: Route): Identity | undefined {
    return this.#asked.get(route)?.identity;
  }

  isMute(route: Route): boolean {
    return this.#asked.get(route)?.isMute ?? false;
  }

  /** Resolves when each route has been asked once. */
  async settled(): Promise<void> {
    await Promise.all([...this.#asked.values()].map((asking) => asking.firstTry));
  }

  #ask(route: Route): Asking {
    const asking: Asking = {
      identity: undefined,
      isMute: false,
      firstTry: Promise.resolve(),
      stop: new AbortController(),
    };
    asking.firstTry = this.#attempt(route, asking, FIRST_PAUSE_MS);
    return asking;
  }

  async #attempt(route: Route, asking: Asking, pauseMs: number): Promise<void> {
    const { clock, random, logger, changed } = this.#parts;
    const { signal } = asking.stop;
    const runner = createCommandRunner({ connect: (own) => route.connect(own), clock, random });
    try {
      const identity = await readIdentity(runner, signal);
      if (signal.aborted) return;
      asking.identity = identity;
      asking.isMute = false;
    } catch (error) {
      if (signal.aborted) return;
      logger.debug("a phone did not say who it is", { cause: error });
      asking.isMute = true;
      pause(clock, pauseMs, signal).then(
        () => this.#attempt(route, asking, Math.min(pauseMs * 2, LONGEST_PAUSE_MS)),
        () => {},
      );
    }
    changed();
  }
}
