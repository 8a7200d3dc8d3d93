/** Standbys of this process, each as the call that makes it look at its lease now. */
const standbys = new Set<() => void>();

/** Calls `look` whenever an instance of this process frees a lease. Returns the remover. */
export function awaitHandOver(look: () => void): () => void {
  standbys.add(look);
  return () => standbys.delete(look);
}

/**
 * A lease was freed: standbys of this process look at once instead of at their next poll. Each looks at its own database, so one
 * of another namespace merely looks once more than usual. Other processes notice at their poll.
 */
export function handOver(): void {
  for (const look of [...standbys]) look();
}
