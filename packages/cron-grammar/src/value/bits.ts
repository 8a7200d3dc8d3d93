/**
 * Sets of small integers as bit masks. A set of up to 31 members is one number; a set of 60 (minutes, seconds) is two halves of
 * 30 bits each, so that every mask stays a small integer that engines keep unboxed.
 */
export const HALF = 30;

/** One half of a set of 60 with all its members. */
export const ALL_HALF = 0x3fff_ffff;

/** The lowest member of a set that is not empty. */
export function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** The highest member of a set that is not empty. */
export function highestBit(mask: number): number {
  return 31 - Math.clz32(mask);
}

/** How many members a set has. */
export function bitCount(mask: number): number {
  mask -= (mask >>> 1) & 0x5555_5555;
  mask = (mask & 0x3333_3333) + ((mask >>> 2) & 0x3333_3333);
  return Math.imul((mask + (mask >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** The last member at or below `from` (-1 to 31), or -1. */
export function previousBit(mask: number, from: number): number {
  const rest = from < 0 ? 0 : mask & (-1 >>> (31 - from));
  return rest === 0 ? -1 : highestBit(rest);
}

/** The first member at or above `from` (0 to 60) of a set in two halves, or -1. */
export function nextBit60(low: number, high: number, from: number): number {
  if (from < HALF) {
    const rest = low & (-1 << from);
    if (rest !== 0) return lowestBit(rest);
    return high === 0 ? -1 : HALF + lowestBit(high);
  }
  const rest = from >= 2 * HALF ? 0 : high & (-1 << (from - HALF));
  return rest === 0 ? -1 : HALF + lowestBit(rest);
}

/** The last member at or below `from` (-1 to 59) of a set in two halves, or -1. */
export function previousBit60(low: number, high: number, from: number): number {
  if (from >= HALF) {
    const rest = high & (-1 >>> (31 - (from - HALF)));
    if (rest !== 0) return HALF + highestBit(rest);
    return low === 0 ? -1 : highestBit(low);
  }
  return previousBit(low, from);
}

/** Whether `value` (0 to 59) is in a set in two halves. */
export function hasBit60(low: number, high: number, value: number): boolean {
  return value < HALF ? ((low >>> value) & 1) === 1 : ((high >>> (value - HALF)) & 1) === 1;
}

/** Whether a set in two halves has all of 0 to 59. */
export function isFull60(low: number, high: number): boolean {
  return low === ALL_HALF && high === ALL_HALF;
}

/** The members of a set in ascending order, each moved up by `shift`. */
export function members(mask: number, shift = 0): number[] {
  const list: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) list.push(lowestBit(rest) + shift);
  return list;
}

/** The members of a set in two halves in ascending order. */
export function members60(low: number, high: number): number[] {
  return [...members(low), ...members(high, HALF)];
}

/** The first second of a day that is in the sets of hours, minutes and seconds, none of them empty. */
export function firstTimeOf(
  hours: number,
  minutesLow: number,
  minutesHigh: number,
  secondsLow: number,
  secondsHigh: number,
): number {
  return lowestBit(hours) * 3600 + nextBit60(minutesLow, minutesHigh, 0) * 60 + nextBit60(secondsLow, secondsHigh, 0);
}

/** The last second of a day that is in the sets of hours, minutes and seconds, none of them empty. */
export function lastTimeOf(
  hours: number,
  minutesLow: number,
  minutesHigh: number,
  secondsLow: number,
  secondsHigh: number,
): number {
  return (
    highestBit(hours) * 3600 +
    previousBit60(minutesLow, minutesHigh, 59) * 60 +
    previousBit60(secondsLow, secondsHigh, 59)
  );
}
