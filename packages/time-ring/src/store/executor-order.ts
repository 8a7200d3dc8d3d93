import type { RegisteredExecutor } from './job-store.js';

/** By group, then address, then node. Compared here: the collations of databases differ. */
export function byPlace(a: RegisteredExecutor, b: RegisteredExecutor): number {
  return compare(a.group, b.group) || compare(a.address, b.address) || compare(a.nodeOwner ?? '', b.nodeOwner ?? '');
}

/** Whether a registration is of another life of the executor than the one before. Who announces no instance never restarts. */
export function isRestart(before: string | null, now: string | null): boolean {
  return before !== null && now !== null && before !== now;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
