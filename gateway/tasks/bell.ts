/** Wakes whoever follows a Task; carries no data, and may be missed: the store alone says what happened. */
export interface Bell {
  ring(taskId: string): void;
  /** Returns the way to stop listening. */
  listen(taskId: string, wake: () => void): () => void;
}

/** The bell of one process. */
export function createBell(): Bell {
  const listeners = new Map<string, Set<() => void>>();
  return {
    ring(taskId) {
      for (const wake of [...(listeners.get(taskId) ?? [])]) wake();
    },
    listen(taskId, wake) {
      const those = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, those);
      those.add(wake);
      return () => {
        those.delete(wake);
        if (those.size === 0 && listeners.get(taskId) === those) listeners.delete(taskId);
      };
    },
  };
}
