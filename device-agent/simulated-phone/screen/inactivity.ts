export interface InactivityDependencies {
  /** Milliseconds, read anew at each start; undefined for never. */
  after(): number | undefined;
  /** On a charger the screen may be told to stay on. */
  staysOn(): boolean;
  /** Runs later unless the returned function was called. */
  schedule(ms: number, action: () => void): () => void;
  onTimeout(): void;
}

/** Sends the screen to sleep when nobody has touched it for a while. */
export function createInactivity(dependencies: InactivityDependencies): { restart(): void } {
  let stop: () => void = () => {};
  function restart(): void {
    stop();
    const ms = dependencies.after();
    if (ms === undefined || !Number.isFinite(ms)) return;
    stop = dependencies.schedule(ms, () => {
      if (dependencies.staysOn()) restart();
      else dependencies.onTimeout();
    });
  }
  return { restart };
}
