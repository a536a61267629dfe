import type { AdbSocket } from "@yume-chan/adb";
import { type Clock, pause } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { DeviceReport } from "../../../shared/link/messages.ts";
import { abortError, hasNotBegun } from "../errors.ts";
import type { PhoneConnection } from "./connection.ts";
import type { Identity } from "./identity.ts";
import type { Route } from "./route.ts";

/** A route together with what is known of the phone at its end. */
export interface KnownRoute {
  route: Route;
  /** As it said itself, or as it was when last seen under this serial. */
  identity: Identity | undefined;
  /** It said so itself, by this very route. */
  isSure: boolean;
  /** It was asked and did not answer. */
  isMute: boolean;
  /** It answered that Android is not up yet. */
  isStarting: boolean;
}

interface Reached {
  route: Route;
  connection: PhoneConnection;
}

/** How long a phone may be away before a command that waits for it gives up. */
const FLAP_MS = 5000;
const RETRY_MS = 200;
/** A phone seldom needs less for what is left of its start. */
const START_RETRY_MS = 5000;

/** One phone, however many ways lead to it and however often they break. */
export class Phone {
  readonly key: string;
  readonly #clock: Clock;
  #routes: KnownRoute[] = [];
  #identity: Identity | undefined;
  #lostAt = Number.NEGATIVE_INFINITY;
  #waiting = new Set<() => void>();
  #inFront: string | null = null;

  constructor(key: string, clock: Clock) {
    this.key = key;
    this.#clock = clock;
  }

  get isListed(): boolean {
    return this.#routes.length > 0;
  }

  get isReady(): boolean {
    return this.#ready().length > 0;
  }

  /** Takes the ways that lead to this phone now; the way in use stays first while it works. */
  update(routes: KnownRoute[]): void {
    const wasReady = this.isReady;
    const used = this.#routes[0]?.route.id;
    this.#routes = [...routes].sort(
      (a, b) => rank(b.route) - rank(a.route) || Number(b.route.id === used) - Number(a.route.id === used),
    );
    const described = routes.find((known) => known.isSure) ?? routes.find((known) => known.identity);
    this.#identity = described?.identity ?? this.#identity;
    if (wasReady && !this.isReady) this.#lostAt = this.#clock.now();
    if (!this.isReady) this.#inFront = null;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Remembers which app was in front when somebody looked; true if it is another one than before. */
  sawInFront(packageName: string | null): boolean {
    const isNews = packageName !== this.#inFront;
    this.#inFront = packageName;
    return isNews;
  }

  report(): DeviceReport {
    const [first] = this.#routes;
    const best = first?.route;
    const { name, model, androidRelease } = this.#identity ?? { name: "", model: "", androidRelease: "" };
    const shown = name || best?.model || best?.serial || this.key;
    const hint = first ? hintOf(first) : undefined;
    const report: DeviceReport = {
      key: this.key,
      serial: (best?.isDialled && this.#identity?.hardwareSerial) || best?.serial || this.key,
      name: shown.slice(0, 64),
      model: model || best?.model || "",
      androidRelease,
      state: best?.state ?? "offline",
      ...(this.#inFront !== null && { foregroundApp: this.#inFront }),
    };
    return hint === undefined ? report : { ...report, hint };
  }

  /**
   * The connection by the best way. Opening a service on it takes the other ways when one refuses, and has patience
   * with a phone that is away for a moment; never once the service may have begun. Throws `device_offline`,
   * `device_unauthorized`.
   */
  async connect(signal: AbortSignal): Promise<PhoneConnection> {
    const first = await this.#firstReachable(new Set(), this.#clock.now() + FLAP_MS, signal);
    const { features, maxServiceBytes, adb } = first.connection;
    return { features, maxServiceBytes, adb, open: (service, own) => this.#open(first, service, own) };
  }

  async #open(first: Reached, service: string, signal: AbortSignal): Promise<AdbSocket> {
    const until = this.#clock.now() + FLAP_MS;
    const refused = new Set<string>();
    let reached = first;
    for (;;) {
      try {
        return await reached.connection.open(service, signal);
      } catch (error) {
        if (!hasNotBegun(error) || signal.aborted) throw error;
        refused.add(reached.route.id);
        reached = await this.#firstReachable(refused, until, signal, error);
      }
    }
  }

  /** A way that answers and is not among those that refused; when none is left, all are tried again until `until`. */
  async #firstReachable(refused: Set<string>, until: number, signal: AbortSignal, reason?: unknown): Promise<Reached> {
    let failure = reason;
    for (;;) {
      if (!this.isReady) await this.#untilBack(signal);
      for (const { route } of this.#ready()) {
        if (refused.has(route.id)) continue;
        try {
          return { route, connection: await route.connect(signal) };
        } catch (error) {
          if (!hasNotBegun(error)) throw error;
          failure = error;
        }
      }
      if (this.#clock.now() >= until) throw failure ?? this.notReady();
      await pause(this.#clock, RETRY_MS, signal).catch(() => {
        throw abortError(signal);
      });
      refused.clear();
    }
  }

  /** Why no handle is given now; undefined while the phone is there, or may be back in a moment. */
  refusal(): CodedError | undefined {
    if (this.#isStarting()) return this.notReady();
    const state = this.#routes[0]?.route.state;
    const isAway = state === undefined || state === "unauthorized" || state === "authorizing";
    return isAway && this.#flapLeft() <= 0 ? this.notReady() : undefined;
  }

  notReady(): CodedError {
    if (this.#isStarting()) {
      return new CodedError("device_offline", "Android is still starting on the phone, so it cannot be used yet.", {
        hint: "Call again in a few seconds; list_devices shows when it has started.",
        retryAfterMs: START_RETRY_MS,
      });
    }
    const best = this.#routes[0]?.route;
    const hint = best?.hint;
    if (best?.state === "unauthorized" || best?.state === "authorizing") {
      return new CodedError("device_unauthorized", "The phone has not accepted this computer for debugging.", {
        ...(hint && { hint }),
      });
    }
    return new CodedError("device_offline", "The phone is not connected now.", { ...(hint && { hint }) });
  }

  #ready(): KnownRoute[] {
    return this.#routes.filter(({ route, isSure }) => route.state === "device" && isSure);
  }

  #isStarting(): boolean {
    return !this.isReady && (this.#routes[0]?.isStarting ?? false);
  }

  #flapLeft(): number {
    return this.#lostAt + FLAP_MS - this.#clock.now();
  }

  #untilBack(signal: AbortSignal): Promise<void> {
    if (this.#isStarting()) return Promise.reject(this.notReady());
    const isNew = this.#routes.some(({ route, isSure }) => route.state === "device" && !isSure);
    const left = isNew ? FLAP_MS : this.#flapLeft();
    if (left <= 0) return Promise.reject(this.notReady());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        callOff();
        this.#waiting.delete(look);
        signal.removeEventListener("abort", onAbort);
        settle();
      };
      const look = () => {
        if (this.isReady) end(resolve);
        else if (this.#isStarting()) end(() => reject(this.notReady()));
      };
      const onAbort = () => end(() => reject(abortError(signal)));
      const callOff = this.#clock.after(left, () => end(() => reject(this.notReady())));
      this.#waiting.add(look);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}

function hintOf({ route, isMute, isStarting }: KnownRoute): string | undefined {
  if (isStarting) return "Android is still starting.";
  return isMute ? "The phone is connected but does not answer: unlock it or restart it." : route.hint;
}

/** A way that stands is better than one that does not; a cable is better than the air. */
function rank(route: Route): number {
  if (route.state !== "device") return route.state === "offline" || route.state === "connecting" ? 0 : 1;
  return /:\d+$|_adb-tls-connect/.test(route.serial) ? 2 : 3;
}
