/** The primary clip. From Android 10 on only the focused app and the keyboard may read it. */
export interface Clipboard {
  text(): string | undefined;
  set(text: string): void;
  /** Called after each change until the returned function is called. */
  onChange(listener: (text: string) => void): () => void;
}

export function createClipboard(): Clipboard {
  let current: string | undefined;
  const listeners = new Set<(text: string) => void>();
  return {
    text: () => current,
    set(text) {
      current = text;
      for (const listener of listeners) listener(text);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
