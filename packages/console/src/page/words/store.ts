import { useEffect, useState } from 'preact/hooks';

/** A value that components follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  use(): T;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    use() {
      const [, draw] = useState(0);
      useEffect(() => {
        const listener = () => draw((n) => n + 1);
        listeners.add(listener);
        // It may have changed between the first drawing and now.
        listener();
        return () => void listeners.delete(listener);
      }, []);
      return value;
    },
  };
}
