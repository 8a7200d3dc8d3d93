import type { CronFieldName } from '../value/cron-fault.js';

/** The values that a dialect allows in one field. */
export interface FieldSpec {
  readonly name: Exclude<CronFieldName, 'expression'>;
  readonly min: number;
  readonly max: number;
  /** Names in the order of their values, starting at `min`. */
  readonly names: readonly string[] | null;
}

export const MONTH_NAMES = [
  'JAN',
  'FEB',
  'MAR',
  'APR',
  'MAY',
  'JUN',
  'JUL',
  'AUG',
  'SEP',
  'OCT',
  'NOV',
  'DEC',
] as const;
export const WEEKDAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

/** Where a name stands in a list of names, in any case, or -1. Letters that only become ASCII as capitals are other letters. */
export function nameIndex(name: string, names: readonly string[]): number {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 127) return -1;
  return names.indexOf(name.toUpperCase());
}

const second: FieldSpec = { name: 'second', min: 0, max: 59, names: null };
const minute: FieldSpec = { name: 'minute', min: 0, max: 59, names: null };
const hour: FieldSpec = { name: 'hour', min: 0, max: 23, names: null };
const day: FieldSpec = { name: 'day', min: 1, max: 31, names: null };
const month: FieldSpec = { name: 'month', min: 1, max: 12, names: MONTH_NAMES };

/** The five fields of POSIX, in the order of the text. The names are refused; they serve the suggestions. */
export const POSIX_FIELDS: readonly FieldSpec[] = [
  minute,
  hour,
  day,
  month,
  { name: 'weekday', min: 0, max: 6, names: WEEKDAY_NAMES },
];

/** The five fields of a crontab, in the order of the text; 7 is Sunday too. */
export const VIXIE_FIELDS: readonly FieldSpec[] = [
  minute,
  hour,
  day,
  month,
  { name: 'weekday', min: 0, max: 7, names: WEEKDAY_NAMES },
];

/** The seven fields of Quartz, in the order of the text; the year may be left out. */
export const QUARTZ_FIELDS: readonly FieldSpec[] = [
  second,
  minute,
  hour,
  day,
  month,
  { name: 'weekday', min: 1, max: 7, names: WEEKDAY_NAMES },
  { name: 'year', min: 1970, max: 2099, names: null },
];
