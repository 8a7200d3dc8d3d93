import type { RegisteredExecutor } from './job-store.js';

/** Orders by group, then address, then node. Compared here, because the collations of databases differ. */
export function byPlace(a: RegisteredExecutor, b: RegisteredExecutor): number {
  return compare(a.group, b.group) || compare(a.address, b.address) || compare(a.nodeOwner ?? '', b.nodeOwner ?? '');
}

/** Whether a registration shows that the executor has restarted since the previous one. Never true without announced instance ids. */
export function isRestart(before: string | null, now: string | null): boolean {
  return before !== null && now !== null && before !== now;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
