/**
 * How many statements a database server has not answered yet. The manual clock waits for the answers before it lets time pass, so that a
 * test on a real server sees the order that a test in memory sees.
 */
let statements = 0;

/** The number of statements under way. */
export function statementsInFlight(): number {
  return statements;
}

/** Counts `work` as a statement under way until it settles. */
export async function countInFlight<T>(work: () => Promise<T>): Promise<T> {
  statements += 1;
  try {
    return await work();
  } finally {
    statements -= 1;
  }
}
