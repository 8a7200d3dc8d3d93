import type { EpochInput } from '../interchange/interchange.js';
import { InvalidEpoch, quote } from '../interchange/sim-errors.js';
import type { Scenario } from '../scenario/load-scenario.js';
import { type ReplicateOptions, type Replication, replicateAll } from './replicate.js';
import { pathProblem } from './sweep-path.js';

/** A replication at one point: the values of the parameters there. */
export type SweepPoint = Replication & { point: Record<string, unknown> };

const MAX_POINTS = 10_000;

/**
 * Replicates an input at every combination of the parameters' values; the last parameter changes fastest, and the seeds are the
 * same at each point. A parameter is a dotted path into the input, such as `lock_defs.crane.capacity` or `arrivals.0.every.mean`.
 * A path that leads to nothing the simulation reads is refused: all its points would be the same. Throws `InvalidEpoch`.
 */
export async function sweep(
  input: EpochInput | Scenario,
  parameters: Readonly<Record<string, readonly unknown[]>>,
  o: ReplicateOptions,
): Promise<SweepPoint[]> {
  let points: Record<string, unknown>[] = [{}];
  for (const [path, values] of Object.entries(parameters)) {
    const problem = pathProblem(input, path);
    if (problem !== null) {
      const message = `InvalidEpoch: parameter ${quote(path)} leads nowhere: ${problem}`;
      throw new InvalidEpoch(message, { field: 'parameters', value: path });
    }
    if (!Array.isArray(values) || values.length === 0) throw bad(path, values, 'give a list of values');
    if (points.length * values.length > MAX_POINTS) throw bad(path, values.length, `give at most ${MAX_POINTS} points`);
    points = points.flatMap((point) => values.map((value) => ({ ...point, [path]: value })));
  }
  const inputs = points.map((point) => {
    const copy = structuredClone(input) as object;
    for (const [path, value] of Object.entries(point)) setAt(copy, path, value);
    return copy as EpochInput;
  });
  const replications = await replicateAll(inputs, o);
  return replications.map((replication, i) => ({ ...replication, point: points[i]! }));
}

/** Sets what a dotted path leads to; maps on the way that do not exist are made. */
function setAt(target: object, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop()!;
  let place = target as Record<string, unknown>;
  for (const key of keys) {
    if (!Object.hasOwn(place, key)) place[key] = {};
    const next = place[key];
    if (typeof next !== 'object' || next === null)
      throw bad(path, next, `"${key}" is no map; give a path into the input`);
    place = next as Record<string, unknown>;
  }
  place[last] = value;
}

function bad(path: string, value: unknown, remedy: string): InvalidEpoch {
  const message = `InvalidEpoch: parameter ${quote(path)} is ${quote(value)}; ${remedy}`;
  return new InvalidEpoch(message, { field: path, value });
}
