import type { CronExpression } from './cron-expression.js';
import { POSIX_FIELDS } from './fields.js';
import { formatPosix, formatQuartz } from './format-cron.js';
import { readPosix } from './parse-posix.js';
import { readQuartz } from './parse-quartz.js';
import { plainText, repairField } from './repair-field.js';

const MACROS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** A whole POSIX expression that says what a refused text probably meant, or undefined. It always parses. */
export function suggestPosix(text: string): string | undefined {
  const plain = plainText(text).replace(/\t/g, ' ');
  const macro = MACROS.get(plain.toLowerCase());
  if (macro !== undefined) return macro;
  const fields = plain.split(' ').filter((field) => field !== '');
  const fromQuartz = fields.length > 5 ? posixOfQuartz(plain) : null;
  if (fromQuartz !== null) return fromQuartz;
  // Other libraries put seconds first without Quartz's "?"; second 0 of a minute is the minute.
  if (fields.length === 6 && /^0+$/.test(fields[0]!)) fields.shift();
  if (fields.length !== 5) return undefined;
  const repaired: string[] = [];
  for (const [index, field] of fields.entries()) {
    const alone = fields.map((_, other) => (other === index ? field : '*')).join(' ');
    const better = readPosix(alone) === null ? repairField(field, POSIX_FIELDS[index]!) : field;
    if (better === null) return undefined;
    repaired.push(better);
  }
  const suggestion = repaired.join(' ');
  return readPosix(suggestion) === null ? undefined : suggestion;
}

function posixOfQuartz(text: string): string | null {
  const value = readQuartz(text);
  if ('reason' in value || value.monthRule !== null || value.years !== null) return null;
  return value.secondsLow === 1 && value.secondsHigh === 0 ? formatPosix(value) : null;
}

/** A whole Quartz expression that says what a refused text probably meant, or undefined. It always parses. */
export function suggestQuartz(text: string): string | undefined {
  const plain = plainText(text).replace(/\t/g, ' ');
  const posix = readPosix(MACROS.get(plain.toLowerCase()) ?? plain);
  if (posix !== null) return quartzOfPosix(posix);
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

function quartzOfPosix(e: CronExpression): string | undefined {
  return e.dayRestricted && e.weekdayRestricted ? undefined : formatQuartz(e);
}
