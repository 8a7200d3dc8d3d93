/** The first cycle that saving `jobId` with `children` would close, as a path of job ids; null when there is none. */
export function childCycle(
  jobId: number,
  children: readonly number[],
  childrenOf: (jobId: number) => readonly number[],
): number[] | null {
  /** How each job was reached; a chain of children can be longer than the stack is deep. */
  const reachedFrom = new Map<number, number>();
  const open: number[] = [];
  const reach = (from: number, to: readonly number[]) => {
    for (const child of to) {
      if (reachedFrom.has(child)) continue;
      reachedFrom.set(child, from);
      open.push(child);
    }
  };
  reach(jobId, children);
  while (open.length > 0 && !reachedFrom.has(jobId)) {
    const next = open.pop()!;
    reach(next, childrenOf(next));
  }
  if (!reachedFrom.has(jobId)) return null;
  const path = [jobId];
  for (let at = reachedFrom.get(jobId)!; at !== jobId; at = reachedFrom.get(at)!) path.push(at);
  return [...path, jobId].reverse();
}
