import type { PendingRewrite } from '../../src/index.js';
import { keyText, type OracleUse, oracleUses, treeText } from './pairwise-oracle.js';
import { hasPath, membersOf } from './path-universe.js';

type State = Map<string, number>;

/** The cells of the state that a key stands for: one, or one for everything that belongs to a key with a path. */
function slotsOf({ category, key }: OracleUse): string[] {
  if (!hasPath(key)) return [`${category} ${keyText(key)}`];
  return [...membersOf(key)].map((member) => `${category} ${treeText(key)} ${member}`);
}

function mixed(hash: number, text: string): number {
  let next = hash;
  for (const char of text) next = (Math.imul(next, 31) + char.codePointAt(0)!) | 0;
  return next;
}

/** A rewrite whose every write and add depends on all that it reads: two that conflict do not commute. */
function perform(state: State, rewrite: PendingRewrite): void {
  const uses = oracleUses(rewrite).map((use) => ({ kind: use.kind, slots: slotsOf(use) }));
  const seen = uses
    .filter(({ kind }) => kind !== 'add')
    .flatMap(({ slots }) => slots.map((slot) => state.get(slot) ?? 0));
  const hash = mixed(7, `${rewrite.scopeHash.join()}|${seen.join()}`);
  for (const { kind, slots } of uses) {
    for (const slot of slots) {
      if (kind === 'write') state.set(slot, hash);
      if (kind === 'add') state.set(slot, ((state.get(slot) ?? 0) + hash) | 0);
    }
  }
}

/** The state after all of them, as a text. */
export function runAll(order: readonly PendingRewrite[]): string {
  const state: State = new Map();
  for (const each of order) perform(state, each);
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1)).join(';');
}

/** By hash, rule and position, with nothing of the package's own sort. */
export const canonical = (rewrites: readonly PendingRewrite[]) =>
  rewrites
    .map((each, position) => ({ each, position, hex: Buffer.from(each.scopeHash).toString('hex') }))
    .sort((a, b) =>
      a.hex < b.hex ? -1 : a.hex > b.hex ? 1 : a.each.compactRule - b.each.compactRule || a.position - b.position,
    )
    .map(({ each }) => each);
