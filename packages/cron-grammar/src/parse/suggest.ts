import type { CronDialect, CronExpression } from '../value/cron-expression.js';
import { formatPosix, formatQuartz } from '../value/format-cron.js';
import { POSIX_FIELDS } from './fields.js';
import { MACROS } from './macros.js';
import { readPosix } from './parse-posix.js';
import { readQuartz } from './parse-quartz.js';
import { readVixie } from './parse-vixie.js';
import { plainText, repairField } from './repair-field.js';

/**
 * A whole expression of the dialect with the meaning that a refused text has in the dialects that accept it, or undefined when there is
 * none or the meaning is in doubt. It always parses.
 */
export function suggest(text: string, dialect: CronDialect): string | undefined {
  const plain = plainText(text).replace(/\t/g, ' ');
  if (dialect === 'quartz') return suggestQuartz(plain);
  const macro = MACROS.get(plain.toLowerCase());
  if (macro !== undefined) return macro;
  const fields = plain.split(' ').filter((field) => field !== '');
  const fromQuartz = fields.length > 5 ? posixOfQuartz(plain) : null;
  if (fromQuartz !== null) return fromQuartz;
  return suggestFields(fields, dialect === 'posix' ? readPosix : readVixie);
}

type Reader = (text: string) => CronExpression | null;

function suggestFields(given: readonly string[], read: Reader): string | undefined {
  // Other libraries put seconds first without Quartz's "?"; second 0 of a minute is the minute.
  const withSeconds = given.length === 6 && /^0+$/.test(given[0]!);
  const fields = withSeconds ? given.slice(1) : given;
  if (fields.length !== 5) return undefined;
  const repaired = repairAll(fields, read);
  if (repaired === null || !keepStarRule(fields, repaired)) return undefined;
  const suggestion = repaired.join(' ');
  const value = read(suggestion);
  if (value === null) return undefined;
  // Those libraries disagree on whether day and weekday are joined by "and" or by "or".
  return withSeconds && value.dayRestricted && value.weekdayRestricted ? undefined : suggestion;
}

function repairAll(fields: readonly string[], read: Reader): string[] | null {
  const repair = (index: number, endOfDay: boolean): string | null => {
    const field = fields[index]!;
    const alone = fields.map((_, other) => (other === index ? field : '*')).join(' ');
    return read(alone) === null ? repairField(field, POSIX_FIELDS[index]!, endOfDay) : field;
  };
  const [minute, day, month, weekday] = [repair(0, false), repair(2, false), repair(3, false), repair(4, false)];
  // 24:00 ends a day, so it is the 0:00 of the next one; that is the same only when every day is meant.
  const hour = repair(1, day === '*' && month === '*' && weekday === '*');
  const all = [minute, hour, day, month, weekday];
  return all.some((field) => field === null) ? null : (all as string[]);
}

/**
 * A crontab joins day and weekday by "and" when one of them begins with `*`. A repair that has lost the star keeps that meaning only
 * if one of the two allows every day and can be `*`. False when it cannot be kept.
 */
function keepStarRule(fields: readonly string[], repaired: string[]): boolean {
  const starred = /^[*?]/.test(fields[2]!) || /^[*?]/.test(fields[4]!);
  if (!starred || repaired[2]!.startsWith('*') || repaired[4]!.startsWith('*')) return true;
  const value = readVixie(repaired.join(' '));
  if (value === null) return false;
  if (value.weekdays === 0x7f) repaired[4] = '*';
  else if (value.days === 0x7fff_ffff) repaired[2] = '*';
  else return false;
  return true;
}

function posixOfQuartz(text: string): string | null {
  const value = readQuartz(text);
  if ('reason' in value || value.monthRule !== null || value.years !== null) return null;
  return value.secondsLow === 1 && value.secondsHigh === 0 ? formatPosix(value) : null;
}

function suggestQuartz(plain: string): string | undefined {
  const crontab = readVixie(MACROS.get(plain.toLowerCase()) ?? plain);
  if (crontab !== null) return quartzOfCrontab(crontab);
  const fields = plain.split(' ').filter((field) => field !== '');
  if (fields.length !== 6 && fields.length !== 7) return undefined;
  const [day, weekday] = [fields[3]!, fields[5]!];
  if (/^[0-6](?:[-,][0-6])*$/.test(weekday) && weekday.includes('0')) {
    fields[5] = weekday.replace(/[0-6]/g, (digit) => String(Number(digit) + 1));
  }
  if (day === '?' && weekday === '?') fields[3] = '*';
  else if (day !== '?' && weekday === '*') fields[5] = '?';
  else if (weekday !== '?' && day === '*') fields[3] = '?';
  const suggestion = fields.join(' ');
  return 'reason' in readQuartz(suggestion) ? undefined : suggestion;
}

function quartzOfCrontab(e: CronExpression): string | undefined {
  return e.dayRestricted && e.weekdayRestricted ? undefined : formatQuartz(e);
}
