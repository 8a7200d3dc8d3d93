import type { RewriteDraft } from '../../../wire/rewrites.js';

export const firstKeys = ['berth 1', 'berth 2', 'crane', 'tug', 'customs', 'tide table'];

/** A morning at the quay: some of these collide. */
export const firstDrafts: readonly RewriteDraft[] = [
  { name: 'dock Aurora', reads: ['tide table'], writes: ['berth 1', 'tug'] },
  { name: 'dock Borealis', reads: ['tide table'], writes: ['berth 2', 'tug'] },
  { name: 'unload Castor', reads: ['customs'], writes: ['crane'] },
  { name: 'inspect cargo', reads: ['berth 2'], writes: ['customs'] },
  { name: 'print tides', reads: ['tide table'], writes: [] },
  { name: 'move crane', reads: ['berth 1'], writes: ['crane'] },
];

export type Use = 'none' | 'read' | 'write';

export function useOf(draft: RewriteDraft, key: string): Use {
  if (draft.writes.includes(key)) return 'write';
  return draft.reads.includes(key) ? 'read' : 'none';
}

/** Nothing, read, write, nothing: what a click on a cell leads to. */
export function nextUse(use: Use): Use {
  return use === 'none' ? 'read' : use === 'read' ? 'write' : 'none';
}

export function withUse(draft: RewriteDraft, key: string, use: Use): RewriteDraft {
  const reads = draft.reads.filter((name) => name !== key);
  const writes = draft.writes.filter((name) => name !== key);
  if (use === 'read') return { ...draft, reads: [...reads, key], writes };
  if (use === 'write') return { ...draft, reads, writes: [...writes, key] };
  return { ...draft, reads, writes };
}
