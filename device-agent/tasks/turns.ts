/** A Task that works on a phone. */
export interface TaskAtWork {
  taskId: string;
  /** Whose it is, as callerOf tells it, and as others may be told. */
  caller: string;
  subject: string;
}

/** Which Task works on which phone now. */
export interface TasksAtWork {
  on(phone: string): TaskAtWork | undefined;
  /** Tells when a Task takes a phone or gives it back. Returns the way to stop it. */
  subscribe(changed: () => void): () => void;
}

export interface TurnWish extends TaskAtWork {
  phone: string;
  /** Tasks of one context come one after another, in the order in which they arrived. */
  context: string;
}

/** One Task's place in the queues of its context and its phone. */
export interface Ticket {
  /** Resolves when the phone is there and is this Task's. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>;
  /** Lets another Task have the phone; the place in the context is kept. */
  giveBack(): void;
  /** Why `take` still waits. */
  waitsFor(): "phone" | "turn";
  /** The Task is over. */
  leave(): void;
}

export interface Turns extends TasksAtWork {
  enter(wish: TurnWish): Ticket;
  /** A phone came or went. */
  look(): void;
}

/** One Task at a time on each phone, and in each context. */
export function createTurns(options: { isThere: (phone: string) => boolean }): Turns {
  const { isThere } = options;
  const contexts = new Map<string, TurnWish[]>();
  const holders = new Map<string, TurnWish>();
  const waiting = new Map<TurnWish, () => void>();
  const listeners = new Set<() => void>();

  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const mayBegin = (wish: TurnWish) =>
    isThere(wish.phone) && !holders.has(wish.phone) && contexts.get(wish.context)?.[0] === wish;
  const look = () => {
    for (const [wish, begin] of [...waiting]) {
      if (!mayBegin(wish)) continue;
      waiting.delete(wish);
      holders.set(wish.phone, wish);
      begin();
      changed();
    }
  };
  const giveBack = (wish: TurnWish) => {
    if (holders.get(wish.phone) !== wish) return;
    holders.delete(wish.phone);
    changed();
  };

  return {
    enter(wish) {
      contexts.set(wish.context, [...(contexts.get(wish.context) ?? []), wish]);
      return {
        take: (signal) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) return reject(signal.reason);
            const giveUp = () => {
              // The turn may have come a moment ago; `leave` gives it back then.
              waiting.delete(wish);
              reject(signal.reason);
            };
            signal.addEventListener("abort", giveUp, { once: true });
            waiting.set(wish, () => {
              signal.removeEventListener("abort", giveUp);
              resolve();
            });
            look();
          }),
        giveBack() {
          giveBack(wish);
          look();
        },
        waitsFor: () => (isThere(wish.phone) ? "turn" : "phone"),
        leave() {
          giveBack(wish);
          const others = (contexts.get(wish.context) ?? []).filter((other) => other !== wish);
          if (others.length > 0) contexts.set(wish.context, others);
          else contexts.delete(wish.context);
          look();
        },
      };
    },
    on: (phone) => holders.get(phone),
    look,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
