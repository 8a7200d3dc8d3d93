/**
 * Where the lock row of the mode `lock-row` lives, for people with a SQL prompt: `insert into <table> (<column>) values ('<value>')`
 * puts it back. The migration makes it once; nothing else ever does.
 */
export const lockRow: { readonly table: string; readonly column: string; readonly value: string } = Object.freeze({
  table: 'horae_ring_lock',
  column: 'name',
  value: 'schedule',
});
