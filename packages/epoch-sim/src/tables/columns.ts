/** The typed arrays that tables are made of. */
export type Column = Uint8Array | Int32Array | Float64Array;

/** `column` with room for at least `wanted` entries; the new ones are `fill`. Growth is by doubling. */
export function grown<Kind extends Column>(column: Kind, wanted: number, fill = 0): Kind {
  if (column.length >= wanted) return column;
  const larger = new (column.constructor as new (length: number) => Kind)(Math.max(wanted, column.length * 2, 16));
  larger.set(column as never);
  if (fill !== 0) larger.fill(fill, column.length);
  return larger;
}

/** A copy of the first `used` entries with some room, so that a branch does not have to grow at its first event. */
export function roomyCopy<Kind extends Column>(column: Kind, used: number): Kind {
  const copy = new (column.constructor as new (length: number) => Kind)(used + (used >> 1) + 64);
  copy.set(column.subarray(0, used) as never);
  return copy;
}
