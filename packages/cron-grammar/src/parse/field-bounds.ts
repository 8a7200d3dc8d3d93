/** Whether a character code is one of the two separators of the grammar: space and tab. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** The most fields whose places are kept; a text may have more, and they are counted. */
const KEPT = 8;

/**
 * Finds the fields of a text: runs of characters that are neither space nor tab. Returns their number and leaves the places of the first
 * eight in `bounds`, start and end alternating. `bounds` belongs to the caller, so that parsing allocates nothing here.
 */
export function findFields(text: string, bounds: Int32Array): number {
  let count = 0;
  let i = 0;
  const length = text.length;
  while (i < length) {
    while (i < length && isBlank(text.charCodeAt(i))) i++;
    if (i === length) break;
    const start = i;
    while (i < length && !isBlank(text.charCodeAt(i))) i++;
    if (count < KEPT) {
      bounds[2 * count] = start;
      bounds[2 * count + 1] = i;
    }
    count++;
  }
  return count;
}

/** Room for the places that `findFields` keeps. */
export function newBounds(): Int32Array {
  return new Int32Array(2 * KEPT);
}
