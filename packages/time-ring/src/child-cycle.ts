/** The first cycle that saving `jobId` with `children` would close, as a path of job ids; null when there is none. */
export function childCycle(
  jobId: number,
  children: readonly number[],
  childrenOf: (jobId: number) => readonly number[],
): number[] | null {
  const done = new Set<number>();
  const visit = (current: number, path: readonly number[]): number[] | null => {
    if (current === jobId) return [...path, current];
    if (done.has(current)) return null;
    done.add(current);
    for (const child of childrenOf(current)) {
      const found = visit(child, [...path, current]);
      if (found !== null) return found;
    }
    return null;
  };
  for (const child of children) {
    const found = visit(child, [jobId]);
    if (found !== null) return found;
  }
  return null;
}
