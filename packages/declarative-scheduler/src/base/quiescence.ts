/** Tracks the runs under way and resolves waiters when those runs are over. */
export interface Quiescence<Run extends object> {
  begin(run: Run): void;
  end(run: Run): void;
  readonly runs: ReadonlySet<Run>;
  /**
   * Resolves when nothing runs any more. A run that calls this does not wait for itself, nor for other runs that call it: they would wait
   * for each other for ever.
   */
  reached(from?: Run): Promise<void>;
}

export function createQuiescence<Run extends object>(): Quiescence<Run> {
  const runs = new Set<Run>();
  const insiders = new Set<Run>();
  let waiters: { isDone(): boolean; resolve(): void }[] = [];

  function check(): void {
    const done = waiters.filter((waiter) => waiter.isDone());
    if (done.length === 0) return;
    waiters = waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve } of done) resolve();
  }

  return {
    runs,
    begin: (run) => void runs.add(run),
    end(run) {
      runs.delete(run);
      insiders.delete(run);
      if (waiters.length > 0) check();
    },
    reached(from) {
      const isInside = from !== undefined && runs.has(from);
      if (isInside) insiders.add(from);
      // Insiders are runs, so equal counts mean that only insiders are left.
      const isDone = isInside ? () => insiders.size === runs.size : () => runs.size === 0;
      return new Promise((resolve) => {
        waiters.push({ isDone, resolve });
        check();
      });
    },
  };
}
