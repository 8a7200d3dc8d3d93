import type { Random } from '@horae/clock-store';
import type { FieldSets, Tick } from './minute-walk.js';

/**
 * The rules of crontab(5) read from a text in the plainest way: every element adds its values to a set, and the first characters of
 * day and weekday decide how the two are joined. It shares no code with the package and knows right texts only.
 */
export function vixieSets(text: string): FieldSets {
  const macro = text.trim();
  const plain = macro.startsWith('@') ? MACROS[macro]! : text;
  const [minute, hour, day, month, weekday] = plain.split(/[ \t]+/).filter((field) => field !== '') as [
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    second: new Set([0]),
    minute: valuesOf(minute, 0, 59, []),
    hour: valuesOf(hour, 0, 23, []),
    day: valuesOf(day, 1, 31, []),
    month: valuesOf(month, 1, 12, MONTHS),
    weekday: new Set([...valuesOf(weekday, 0, 7, WEEKDAYS)].map((value) => value % 7)),
    both: day.startsWith('*') || weekday.startsWith('*'),
  };
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

function valuesOf(field: string, min: number, max: number, names: readonly string[]): Set<number> {
  const set = new Set<number>();
  const read = (value: string): number => (/^[0-9]/.test(value) ? Number(value) : names.indexOf(value.toLowerCase()));
  for (const element of field.split(',')) {
    const [base, step] = element.split('/') as [string, string?];
    const [first, last] = base.split('-') as [string, string?];
    const from = first === '*' ? min : read(first);
    let to = first === '*' ? max : last === undefined ? (step === undefined ? from : max) : read(last);
    if (last?.toLowerCase() === 'sun') to = 7;
    for (let value = from; value <= to; value += Number(step ?? 1)) set.add(value);
  }
  return set;
}

/** A random crontab expression with a fair chance to fire around a tick. */
export function randomVixie(random: Random, near: Tick): string {
  if (random.below(60) === 0) return Object.keys(MACROS)[random.below(7)]!;
  const fields = [
    randomField(random, 0, 59, near.minute, null),
    randomField(random, 0, 23, near.hour, null),
    randomField(random, 1, 31, near.day, null),
    random.below(3) > 0 ? '*' : randomField(random, 1, 12, near.month, MONTHS),
    randomField(random, 0, 7, near.weekday, WEEKDAYS),
  ];
  return fields.join([' ', '  ', '\t'][random.below(3)]!);
}

function randomField(random: Random, min: number, max: number, near: number, names: readonly string[] | null): string {
  if (random.below(3) === 0) return '*';
  const elements: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const value = random.below(2) === 0 ? Math.min(max, near) : min + random.below(max - min + 1);
    const step = ['', '', '/1', '/2', '/3', '/7', '/100'][random.below(7)]!;
    const kind = random.below(3);
    if (kind === 0) elements.push(`*${step}`);
    else if (kind === 1) elements.push(`${said(random, value, names)}${step}`);
    else elements.push(`${said(random, value, names)}-${value + random.below(max - value + 1)}${step}`);
  }
  return elements.join(',');
}

/** A value as a number, with leading zeros now and then, or by its name in any case. */
function said(random: Random, value: number, names: readonly string[] | null): string {
  const name = names?.[value];
  if (name === undefined || name === '' || random.below(2) === 0) return `${['', '', '0'][random.below(3)]}${value}`;
  return [name, name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1)][random.below(3)]!;
}
