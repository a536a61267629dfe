import type { Principal } from "../auth/principal.ts";

/**
 * Calls of clients that cancel by a message of their own (before 2026-07-28). Such a message may come over another
 * connection, so it is matched by principal and JSON-RPC id.
 */
export interface InFlight {
  /** Returns what takes the call out again. */
  add(principal: Principal, id: string | number, cancel: () => void): () => void;
  /** Cancels the one call that matches; two clients of one principal may use the same id, and then none is touched. */
  cancel(principal: Principal, id: unknown): void;
}

export function createInFlight(): InFlight {
  const calls = new Map<string, Set<() => void>>();
  const keyOf = ({ tenant, subject }: Principal, id: unknown) => JSON.stringify([tenant, subject, id]);

  return {
    add(principal, id, cancel) {
      const key = keyOf(principal, id);
      const same = calls.get(key) ?? new Set();
      calls.set(key, same.add(cancel));
      return () => {
        same.delete(cancel);
        if (same.size === 0 && calls.get(key) === same) calls.delete(key);
      };
    },
    cancel(principal, id) {
      const [only, ...others] = calls.get(keyOf(principal, id)) ?? [];
      if (only && others.length === 0) only();
    },
  };
}
