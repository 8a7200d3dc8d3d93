import { byCodeUnit } from '../engine/action-kind.js';
import { stateOf } from '../epoch/result-state.js';
import type { EpochResult } from '../interchange/interchange.js';
import { LockKind } from '../tables/lock-table.js';
import { type ActionLine, actionLines, type Bar } from './action-bars.js';
import { stretchesOf } from './stretches.js';

/** The kinds of line in a chart. */
export const LANES = ['action', 'actor', 'lock', 'verb'] as const;

/** The lines of a chart: one per action, or per actor, lock or verb as many as run at the same time. */
export function lanesOf(result: EpochResult, by: (typeof LANES)[number]): { lines: ActionLine[]; minutes: number } {
  const { lines, minutes } = actionLines(result);
  if (by === 'action') return { lines, minutes };
  const groups = by === 'lock' ? barsOfLocks(result) : barsOfActions(result, lines, by);
  const names = [...groups.keys()].sort(byCodeUnit);
  return { lines: names.flatMap((name) => stacked(name, groups.get(name)!)), minutes };
}

function barsOfActions(result: EpochResult, lines: readonly ActionLine[], by: 'actor' | 'verb'): Map<string, Bar[]> {
  const state = stateOf(result);
  const groups = new Map<string, Bar[]>();
  for (const { id, bars } of lines) {
    const instance = state.actions.instances[state.rowOf(state.names.find(id))];
    const runs = bars.filter(({ kind }) => kind === 'run').map((bar) => ({ ...bar, of: short(id) }));
    add(groups, String(instance?.[by] ?? ''), runs);
  }
  return groups;
}

function barsOfLocks(result: EpochResult): Map<string, Bar[]> {
  const state = stateOf(result);
  const { actions, locks } = state;
  const groups = new Map<string, Bar[]>();
  for (const { kind, of, from, to } of stretchesOf(state)) {
    if (kind === 'wait') continue;
    if (kind === 'down') {
      add(groups, state.lockName(of), [{ kind, from, to, open: false }]);
      continue;
    }
    const bar: Bar = { kind, from, to, open: false, of: short(state.idOf(of)) };
    for (const lock of actions.locksOf(of))
      if (locks.kind[lock] !== LockKind.level) add(groups, state.lockName(lock), [bar]);
  }
  return groups;
}

function add(groups: Map<string, Bar[]>, name: string, bars: Bar[]): void {
  const known = groups.get(name) ?? [];
  groups.set(name, known);
  known.push(...bars);
}

/** Puts each bar on the first line where it meets no other. */
function stacked(name: string, bars: Bar[]): ActionLine[] {
  const lines: ActionLine[] = [];
  for (const bar of bars.sort((a, b) => a.from - b.from)) {
    let line = lines.find(({ bars: others }) => others.at(-1)!.to <= bar.from);
    if (line === undefined) {
      line = { id: name, bars: [], reveals: [], label: lines.length === 0 ? name : '' };
      lines.push(line);
    }
    line.bars.push(bar);
  }
  return lines;
}

function short(id: string): string {
  return id.length > 24 ? `${id.slice(0, 23)}…` : id;
}
