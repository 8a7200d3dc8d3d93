import { checkEnds } from './check-ends.js';
import { checkFires } from './check-fires.js';
import { checkFollowUps } from './check-follow-ups.js';
import { checkKeys } from './check-keys.js';
import { checkPromptness } from './check-promptness.js';
import { checkUsers } from './check-users.js';
import type { History, HistoryEvent } from './history-record.js';
import type { Change } from './observed-store.js';

/** A promise that a history breaks. */
export interface Breach {
  readonly rule: string;
  readonly message: string;
}

/** Judges a history by what the engine promises, from what was committed, started and told, and from the rows at the end. */
export function checkHistory(history: History): Breach[] {
  return [checkFires, checkEnds, checkFollowUps, checkUsers, checkKeys, checkPromptness].flatMap((check) =>
    check(history),
  );
}

type Found<Kind extends Change['kind']> = Extract<Change, { kind: Kind }> & { order: number; changedAt: number };
const sorted = new WeakMap<History, Map<string, unknown[]>>();

/** The changes of a kind, in order; looked for once a history. */
export function changesOf<Kind extends Change['kind']>(history: History, kind: Kind): readonly Found<Kind>[] {
  let byKind = sorted.get(history);
  if (byKind === undefined) {
    const changes = history.events.flatMap(({ order, at, ...event }) =>
      event.kind === 'change' ? [{ ...event.change, order, changedAt: at }] : [],
    );
    byKind = groupBy(changes, (change) => change.kind);
    sorted.set(history, byKind);
  }
  return (byKind.get(kind) ?? []) as Found<Kind>[];
}

export function startsOf({ events }: History) {
  return events.flatMap((event) => (event.kind === 'start' ? [{ ...event.start, order: event.order }] : []));
}

export function toldOf<Name extends Extract<HistoryEvent, { kind: 'told' }>['told']['name']>(
  { events }: History,
  names: readonly Name[],
) {
  return events.flatMap((event) =>
    event.kind === 'told' && (names as readonly string[]).includes(event.told.name)
      ? [event.told as Extract<Extract<HistoryEvent, { kind: 'told' }>['told'], { name: Name }>]
      : [],
  );
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
