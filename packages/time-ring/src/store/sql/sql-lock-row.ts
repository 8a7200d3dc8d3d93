/**
 * The location of the lock row of the mode `lock-row`, for use at a SQL prompt: `insert into <table> (<column>) values ('<value>')`
 * restores it. The migration inserts it once; nothing else ever does.
 */
export const lockRow: { readonly table: string; readonly column: string; readonly value: string } = Object.freeze({
  table: 'horae_ring_lock',
  column: 'name',
  value: 'schedule',
});
