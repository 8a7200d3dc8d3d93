import { monthDays } from '../calendar/month-days.js';
import { checkExpression } from '../value/check-argument.js';
import type { CronExpression } from '../value/cron-expression.js';
import { type Instant, instantMs } from '../value/instant.js';
import { nearbyShift, shiftNote } from '../zone/shift-note.js';
import { zoneTable } from '../zone/zones.js';
import { allowedValues, fieldsOf, type LocalParts, localParts, type TimedField } from './field-values.js';

/** The verdict of one field on an instant. */
export interface FieldVerdict {
  readonly field: TimedField;
  /** The values the field allows, in the numbers of the dialect. */
  readonly allowed: number[];
  /** The value of the instant in the zone's local time. */
  readonly actual: number;
  readonly matches: boolean;
  /** What the numbers do not show: the rule for day and weekday, and a clock change close by. */
  readonly note?: string;
}

/**
 * Why an expression does or does not match an instant: one verdict per field, in the order of the text. The expression matches when every
 * verdict does, except that one of day and weekday is enough when both are restricted; their notes state which rule applies. The verdict of
 * the hour carries a note when the zone's clock changes within three hours.
 */
export function explainMatch(e: CronExpression, at: Instant, zone?: string): FieldVerdict[] {
  checkExpression(e);
  const second = Math.floor(instantMs(at, 'at') / 1000);
  const table = zoneTable(zone);
  const parts = localParts(second + table.offsets[table.locate(second)]!);
  const shift = nearbyShift(table, second);
  return fieldsOf(e).map((field) => {
    const allowed = allowedValues(e, field, parts);
    const actual = field === 'weekday' && e.dialect === 'quartz' ? parts.weekday + 1 : parts[field];
    const note = field === 'hour' && shift !== null ? shiftNote(shift) : dayNote(e, field);
    const matches =
      field === 'weekday' && e.monthRule?.kind === 'quartz' ? weekdayByRule(e, parts) : allowed.includes(actual);
    return { field, allowed, actual, matches, ...(note === undefined ? {} : { note }) };
  });
}

/** With `6#3` or `6L` the day of the month decides, and the list of weekdays alone cannot express it. */
function weekdayByRule(e: CronExpression, parts: LocalParts): boolean {
  if (!e.weekdayRestricted) return true;
  return ((monthDays(e, parts.firstWeekday, parts.monthLength) >>> (parts.day - 1)) & 1) === 1;
}

function dayNote(e: CronExpression, field: TimedField): string | undefined {
  if (field !== 'day' && field !== 'weekday') return undefined;
  if (e.dialect !== 'quartz' && e.dayRestricted && e.weekdayRestricted) {
    return e.monthRule === null
      ? 'Day and weekday are both restricted, so one of them is enough.'
      : 'Day or weekday begins with "*", so both must match.';
  }
  if (e.monthRule === null) return undefined;
  if (field === 'day' && e.dayRestricted) return 'The allowed days are those of this month.';
  return field === 'weekday' && e.weekdayRestricted
    ? 'The verdict also counts which one of the month it is.'
    : undefined;
}
