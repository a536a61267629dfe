/** The moment of stopping, for any number of listeners: a signal itself warns of more than ten. */
export interface StopBell {
  hasRung(): boolean;
  /** Returns the way to stop listening. */
  listen(action: () => void): () => void;
}

export function createStopBell(stopping: AbortSignal): StopBell {
  const actions = new Set<() => void>();
  stopping.addEventListener(
    "abort",
    () => {
      for (const action of [...actions]) action();
    },
    { once: true },
  );
  return {
    hasRung: () => stopping.aborted,
    listen(action) {
      actions.add(action);
      return () => actions.delete(action);
    },
  };
}
