import { type Clock, pause } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/log.ts";
import { createCommandRunner } from "../shell/command-runner.ts";
import { type Identity, readIdentity } from "./identity.ts";
import type { Route } from "./route.ts";
import { asksHasStarted } from "./start-of-android.ts";

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
  /** It answers, and Android is not up yet. */
  isStarting: boolean;
  firstTry: Promise<void>;
  stop: AbortController;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
/** Between two questions whether Android has started: each runs two small programs of a phone that has much to do. */
const START_PAUSE_MS = 1000;
const LONGEST_START_PAUSE_MS = 10_000;

/**
 * Asks the phone at the end of each new route who it is, until it answers or the route is gone; one on which Android is
 * still starting, again when it has.
 */
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

  isStarting(route: Route): boolean {
    return this.#asked.get(route)?.isStarting ?? false;
  }

  /** Resolves when each route has been asked once. */
  async settled(): Promise<void> {
    await Promise.all([...this.#asked.values()].map((asking) => asking.firstTry));
  }

  #ask(route: Route): Asking {
    const asking: Asking = {
      identity: undefined,
      isMute: false,
      isStarting: false,
      firstTry: Promise.resolve(),
      stop: new AbortController(),
    };
    asking.firstTry = this.#attempt(route, asking, FIRST_PAUSE_MS);
    return asking;
  }

  async #attempt(route: Route, asking: Asking, pauseMs: number): Promise<void> {
    const { clock, logger, changed } = this.#parts;
    const { signal } = asking.stop;
    try {
      const { identity, hasStarted } = await readIdentity(this.#runner(route), signal);
      if (signal.aborted) return;
      asking.identity = identity;
      asking.isMute = false;
      if (!hasStarted) this.#awaitStart(route, asking);
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

  #awaitStart(route: Route, asking: Asking): void {
    const { clock, logger, changed } = this.#parts;
    const { signal } = asking.stop;
    const since = clock.now();
    asking.isStarting = true;
    const watch = async () => {
      for (let ms = START_PAUSE_MS; asking.isStarting; ms = Math.min(ms * 1.5, LONGEST_START_PAUSE_MS)) {
        await pause(clock, ms, signal);
        try {
          if (!(await asksHasStarted(this.#runner(route), clock.now() - since, signal))) continue;
          // Some of it can be told only by a phone that is up.
          asking.identity = (await readIdentity(this.#runner(route), signal, true)).identity;
          asking.isStarting = false;
        } catch (error) {
          logger.debug("a phone that is starting did not answer", { cause: error });
        }
      }
      changed();
    };
    watch().catch(() => {});
  }

  #runner(route: Route) {
    const { clock, random } = this.#parts;
    return createCommandRunner({ connect: (own) => route.connect(own), clock, random });
  }
}
