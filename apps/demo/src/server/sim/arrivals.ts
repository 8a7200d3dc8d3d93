import type { ActionInstance, EpochResult, Scenario } from 'horae/sim';
import { bounds } from './bounds.js';

type Source = NonNullable<Scenario['arrivals']>[number];

/** A scenario whose sources stop one action after what the demo runs, so that a source of any rate comes to an end. */
export function withCappedArrivals(scenario: Scenario, locksOf: (verb: string) => readonly string[]): Scenario {
  const { arrivals = [] } = scenario;
  if (arrivals.length === 0) return scenario;
  const capped = arrivals.map((source) => {
    const most = mostOf(source, locksOf) + 1;
    return { ...source, count: Math.min(most, source.count ?? most) };
  });
  return { ...scenario, arrivals: capped };
}

/** The actions of one source that the demo runs: fewer where each takes many locks. */
export function mostOf({ verb }: Source, locksOf: (verb: string) => readonly string[]): number {
  return Math.min(bounds.arrivals, Math.floor((10 * bounds.lockUses) / Math.max(1, locksOf(verb).length)));
}

/** The place of the first source that makes more actions than the demo runs; null when none does. */
export function tooManyArrivals(
  { arrivals = [] }: Scenario,
  locksOf: (verb: string) => readonly string[],
  result: EpochResult,
): number | null {
  const last = new Map(arrivals.map((source, i) => [nameOf(source, mostOf(source, locksOf) + 1), i]));
  const found = idsOf(result).find((id) => last.has(id));
  return found === undefined ? null : last.get(found)!;
}

/** The actions that arrival sources have made, in the order of their first record. */
export function arrived({ arrivals = [] }: Scenario, result: EpochResult): ActionInstance[] {
  const found = new Map<string, ActionInstance>();
  for (const id of arrivals.length === 0 ? [] : idsOf(result)) {
    if (found.has(id)) continue;
    const source = arrivals.find((arrival) => isOf(arrival.id, id));
    if (source !== undefined) found.set(id, { id, actor: source.actor ?? id, verb: source.verb, submitted_at: 0 });
  }
  return [...found.values()];
}

/** Every action that has an event, a rejection or a wait. */
function idsOf({ schedule_events, waits, rejections }: EpochResult): string[] {
  return [
    ...schedule_events.map(({ action_id }) => action_id),
    ...waits.map(({ action_id }) => action_id),
    ...rejections.map(({ id }) => id),
  ];
}

function nameOf({ id }: Source, n: number): string {
  return id.replaceAll('{n}', String(n));
}

function isOf(template: string, id: string): boolean {
  const [before = ''] = template.split('{n}');
  const digits = /^\d{1,15}/.exec(id.slice(before.length))?.[0];
  return digits !== undefined && id === template.replaceAll('{n}', digits);
}
