import type { Random } from '@horae/clock-store';
import type { FieldSets, Tick } from './minute-walk.js';

export interface RandomExpression {
  readonly text: string;
  readonly sets: FieldSets;
}

interface Field {
  readonly text: string;
  readonly set: Set<number>;
  readonly star: boolean;
}

const ZERO: ReadonlySet<number> = new Set([0]);

/** A random POSIX expression that has a fair chance to fire around a tick: half of its fields are drawn to include the tick's value. */
export function randomPosix(random: Random, near: Tick): RandomExpression {
  const minute = randomField(random, 0, 59, near.minute, 4);
  const hour = randomField(random, 0, 23, near.hour, 3);
  const day = randomField(random, 1, 31, near.day, 2);
  const month = randomField(random, 1, 12, near.month, 2);
  const weekday = randomField(random, 0, 6, near.weekday, 2);
  const separator = (): string => [' ', ' ', '  ', '\t'][random.below(4)]!;
  return {
    text: [minute, hour, day, month, weekday].reduce(
      (text, field) => (text === '' ? field.text : text + separator() + field.text),
      '',
    ),
    sets: {
      second: ZERO,
      minute: minute.set,
      hour: hour.set,
      day: day.star ? null : day.set,
      month: month.set,
      weekday: weekday.star ? null : weekday.set,
    },
  };
}

/** A random Quartz expression without month rules, for second precision around a tick. */
export function randomQuartz(random: Random, near: Tick): RandomExpression {
  const second = randomField(random, 0, 59, near.second, 4);
  const minute = randomField(random, 0, 59, near.minute, 3);
  const hour = randomField(random, 0, 23, near.hour, 3);
  const month = randomField(random, 1, 12, near.month, 2);
  const byDay = random.below(2) === 0;
  const day = randomField(random, 1, 31, near.day, 2);
  const weekday = randomField(random, 1, 7, near.weekday + 1, 2);
  const dates = byDay ? [day.text, month.text, '?'] : ['?', month.text, weekday.text];
  return {
    text: [second.text, minute.text, hour.text, ...dates].join(' '),
    sets: {
      second: second.set,
      minute: minute.set,
      hour: hour.set,
      day: byDay && !day.star ? day.set : null,
      month: month.set,
      weekday: !byDay && !weekday.star ? new Set([...weekday.set].map((value) => value - 1)) : null,
    },
  };
}

function randomField(random: Random, min: number, max: number, near: number, most: number): Field {
  if (random.below(3) === 0) return { text: '*', set: new Set(range(min, max)), star: true };
  const set = new Set<number>();
  const parts: string[] = [];
  const size = max - min + 1;
  for (let left = 1 + random.below(most); left > 0; left--) {
    const value = random.below(2) === 0 ? clamp(near + random.below(5) - 2, min, max) : min + random.below(size);
    if (random.below(3) === 0) {
      const last = value + random.below(max - value + 1);
      parts.push(`${zeros(random)}${value}-${zeros(random)}${last}`);
      for (const each of range(value, last)) set.add(each);
    } else {
      parts.push(`${zeros(random)}${value}`);
      set.add(value);
    }
  }
  return { text: parts.join(','), set, star: false };
}

function zeros(random: Random): string {
  return ['', '', '', '0', '00'][random.below(5)]!;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
