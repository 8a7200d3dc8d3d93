/** What `createEmitter` returns: listeners by event name, typed by the map `Events` from name to event. */
export interface Emitter<Events> {
  /** Adds `listener` and returns its remover. Adding the same function twice calls it twice; the remover may be called twice. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
  /**
   * Calls the listeners of `name` in the order in which they were added, before returning. A listener that is removed meanwhile is not
   * called any more; one that is added meanwhile receives the next event.
   */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void;
  /** How many listeners `name` has. */
  listenerCount(name: keyof Events): number;
}

/** Options of `createEmitter`. */
export interface EmitterOptions {
  /** Called with what a listener threw or rejected with. By default the error becomes a process warning, which stops nothing. */
  onListenerError?: (error: unknown, name: PropertyKey) => void;
}

interface Entry {
  listener: ((event: never) => unknown) | undefined;
}

/**
 * A typed emitter. A throwing listener stops neither the other listeners, nor the emitter's owner, nor the process. The emitter keeps every
 * listener and never warns about their number: to remove one, call the remover that `on` returned.
 */
export function createEmitter<Events>(options: EmitterOptions = {}): Emitter<Events> {
  // The arrays are replaced, never changed, so that an emit in progress keeps walking the list it started with.
  const entriesByName = new Map<keyof Events, readonly Entry[]>();
  const report = options.onListenerError ?? warn;

  function on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const entry: Entry = { listener };
    entriesByName.set(name, [...(entriesByName.get(name) ?? []), entry]);
    return () => {
      if (entry.listener === undefined) return;
      entry.listener = undefined;
      const left = entriesByName.get(name)?.filter((other) => other !== entry) ?? [];
      if (left.length > 0) entriesByName.set(name, left);
      else entriesByName.delete(name);
    };
  }

  function emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    const entries = entriesByName.get(name);
    if (entries === undefined) return;
    for (const entry of entries) {
      try {
        const result = entry.listener?.(event as never);
        // An async listener fails later; it must not become an unhandled rejection that ends the process.
        if (result instanceof Promise) result.catch((error) => report(error, name));
      } catch (error) {
        report(error, name);
      }
    }
  }

  return { on, emit, listenerCount: (name) => entriesByName.get(name)?.length ?? 0 };
}

function warn(error: unknown, name: PropertyKey): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning(`A listener of "${String(name)}" failed: ${text}`, 'HoraeListenerWarning');
}
