export { UnknownZoneError } from '@horae/clock-store';
export { explainMatch, type FieldVerdict } from './analysis/explain-match.js';
export { type Lint, type LintCode, type LintOptions, lintCron } from './analysis/lint-cron.js';
export { firstCollision, type Overlap, type OverlapOptions, overlap } from './analysis/overlap.js';
export type { Calendar, CalendarDefinition, ExceptOptions } from './exclusion/calendar.js';
export { parseCalendar, parseIcs } from './exclusion/parse-calendar.js';
export { countOccurrences } from './occurrence/count-occurrences.js';
export {
  type Interval,
  type IntervalOccurrences,
  type IntervalOptions,
  intervalOccurrences,
} from './occurrence/interval-occurrences.js';
export {
  matches,
  neverFires,
  nextOccurrence,
  previousOccurrence,
  tryNextOccurrence,
  tryPreviousOccurrence,
} from './occurrence/occurrence.js';
export { type OccurrencesOptions, occurrences } from './occurrence/occurrences.js';
export { cron } from './parse/cron.js';
export type { CronLiteral } from './parse/cron-literal.js';
export { hashed } from './parse/hashed.js';
export { type CronParseResult, type ParseCronOptions, parseCron, tryParseCron } from './parse/parse-cron.js';
export { type CrontabEntry, type ParseCrontabOptions, parseCrontab } from './parse/parse-crontab.js';
export {
  CronArgumentError,
  CronCalculationError,
  FieldParseError,
  InvalidCalendarError,
  InvalidCronExpressionError,
  InvalidInstantError,
  NaturalTextError,
} from './value/cron-errors.js';
export { type CronDialect, type CronExpression, cronEquals, type MonthRule } from './value/cron-expression.js';
export type { CronFault, CronFieldName } from './value/cron-fault.js';
export { formatCron } from './value/format-cron.js';
export { formatCronError } from './value/format-cron-error.js';
export type { Instant, MillisLike } from './value/instant.js';
export { type CronLocale, type DescribeCronOptions, describeCron } from './words/describe-cron.js';
export { type NaturalCron, parseNatural } from './words/natural/parse-natural.js';
export { localToInstant } from './zone/local-to-instant.js';
