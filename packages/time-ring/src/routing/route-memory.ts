import type { Random } from '@horae/clock-store';

/** The state that `ROUND`, `LEAST_FREQUENTLY_USED` and `LEAST_RECENTLY_USED` keep per job. Opaque; created by `createRouteMemory`. */
export interface RouteMemory {
  readonly rounds: Map<number, number>;
  readonly frequencies: Map<number, Map<string, number>>;
  readonly recencies: Map<number, string[]>;
}

/** The state of jobs beyond this number is dropped, the oldest first: they start over. */
const MAX_JOBS = 100_000;

/** Creates an empty record of the executors each job was sent to, for the routes that take turns. */
export function createRouteMemory(): RouteMemory {
  return { rounds: new Map(), frequencies: new Map(), recencies: new Map() };
}

/** A number that starts at random and then increments by one. */
export function recallRound({ rounds }: RouteMemory, jobId: number, random: Random): number {
  const next = rounds.has(jobId) ? (rounds.get(jobId)! + 1) % 0x1_0000_0000 : random.uint32();
  remember(rounds, jobId, next);
  return next;
}

/** The address used least often; ties in list order. A new address starts at the lowest existing count, a vanished one is dropped. */
export function recallLeastFrequent({ frequencies }: RouteMemory, jobId: number, addresses: readonly string[]): string {
  const before = frequencies.get(jobId) ?? new Map<string, number>();
  const known = addresses.filter((address) => before.has(address)).map((address) => before.get(address)!);
  const lowest = known.length === 0 ? 0 : Math.min(...known);
  const counts = new Map(addresses.map((address) => [address, before.get(address) ?? lowest]));
  const chosen = addresses.reduce((best, address) => (counts.get(address)! < counts.get(best)! ? address : best));
  counts.set(chosen, counts.get(chosen)! + 1);
  remember(frequencies, jobId, counts);
  return chosen;
}

/** The address whose last use is longest ago; new ones join at the end, in list order. */
export function recallLeastRecent({ recencies }: RouteMemory, jobId: number, addresses: readonly string[]): string {
  const present = new Set(addresses);
  const queue = (recencies.get(jobId) ?? []).filter((address) => present.has(address));
  const queued = new Set(queue);
  queue.push(...addresses.filter((address) => !queued.has(address)));
  const chosen = queue.shift()!;
  queue.push(chosen);
  remember(recencies, jobId, queue);
  return chosen;
}

function remember<Value>(map: Map<number, Value>, jobId: number, value: Value): void {
  if (!map.has(jobId) && map.size >= MAX_JOBS) map.delete(map.keys().next().value!);
  map.set(jobId, value);
}
