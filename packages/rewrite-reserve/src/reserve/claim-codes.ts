/**
 * Marks free resources, passes those that others only read too, and returns the position of the first conflict, or `end`. Four codes per
 * turn: in every turn of a loop the engine looks up again where an array is and how long, which costs as much as the work on one code.
 */
export function claimAll(
  stamps: Uint32Array,
  codes: Uint32Array,
  start: number,
  end: number,
  floor: number,
  mark: number,
): number {
  let at = start;
  for (; at + 4 <= end; at += 4) {
    if (!claim(stamps, codes[at]!, floor, mark)) return at;
    if (!claim(stamps, codes[at + 1]!, floor, mark)) return at + 1;
    if (!claim(stamps, codes[at + 2]!, floor, mark)) return at + 2;
    if (!claim(stamps, codes[at + 3]!, floor, mark)) return at + 3;
  }
  for (; at < end; at++) if (!claim(stamps, codes[at]!, floor, mark)) return at;
  return end;
}

function claim(stamps: Uint32Array, code: number, floor: number, mark: number): boolean {
  const resource = code >>> 1;
  const stamp = stamps[resource]!;
  // Held: fine if it is read by both sides. The last bit of a code or stamp means "exclusive".
  if (stamp > floor) return ((stamp | code) & 1) === 0;
  stamps[resource] = mark | (code & 1);
  return true;
}

/** Frees what `ticket` was the first to hold among `codes[start..end)`. */
export function unclaim(stamps: Uint32Array, codes: Uint32Array, start: number, end: number, ticket: number): void {
  for (let at = start; at < end; at++) {
    const resource = codes[at]! >>> 1;
    if (stamps[resource]! >>> 1 === ticket) stamps[resource] = 0;
  }
}
