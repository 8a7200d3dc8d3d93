import {
  END,
  RICH_ABOVE,
  RICH_ADDS,
  RICH_FIRST_CODE,
  RICH_POINTS,
  RICH_RANGES,
  RICH_SUBTREES,
} from '../footprint/footprint-chunk.js';
import { type CompiledUses, MODE, REACH, USE_WORDS } from './compiled-uses.js';

/**
 * Writes compiled uses by what they reach into the piece of a footprint: loops that look at one kind of use each need no branches, and a
 * reservation reads one stretch of memory. A key that is both added to and read is checked as one thing and marked as another, which the
 * lists cannot express; such a footprint has none.
 */
export function writeLists({ words, above }: CompiledUses, codes: Uint32Array, place: number): void {
  codes[place + RICH_ADDS] = 0;
  const [singles, adds, subtrees, ranges, points] = [[], [], [], [], []] as number[][] as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  for (let at = 0; at < words.length; at += USE_WORDS) {
    const [reach, mark, mode] = [words[at]! >>> 4, (words[at]! >>> 2) & 3, words[at]! & 3];
    const [number, where] = [words[at + 1]!, words[at + 2]!];
    if (mark !== mode) return;
    if (reach === REACH.subtree) subtrees.push(where * 4 + mode);
    else if (reach === REACH.range) ranges.push(where * 4 + mode, number);
    else if (mode === MODE.add) adds.push(number);
    else singles.push(number * 2 + mode);
    if (reach === REACH.point) points.push(where);
  }
  let to = place + RICH_FIRST_CODE;
  const put = (list: ArrayLike<number>) => {
    codes.set(list, to);
    to += list.length;
    return to;
  };
  codes[place + RICH_ADDS] = put(singles);
  codes[place + RICH_SUBTREES] = put(adds);
  codes[place + RICH_RANGES] = put(subtrees);
  codes[place + RICH_ABOVE] = put(ranges);
  codes[place + RICH_POINTS] = put(above);
  codes[place + END] = put(points);
}
