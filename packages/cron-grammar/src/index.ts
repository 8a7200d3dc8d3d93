export { UnknownZoneError } from '@horae/clock-store';
export { countOccurrences } from './count-occurrences.js';
export { cron } from './cron.js';
export {
  CronArgumentError,
  CronCalculationError,
  FieldParseError,
  InvalidCronExpressionError,
  InvalidInstantError,
} from './cron-errors.js';
export { type CronDialect, type CronExpression, cronEquals, type MonthRule } from './cron-expression.js';
export type { CronFault, CronFieldName } from './cron-fault.js';
export type { CronLiteral } from './cron-literal.js';
export { describeCron } from './describe-cron.js';
export { explainMatch, type FieldVerdict } from './explain-match.js';
export { formatCron } from './format-cron.js';
export { formatCronError } from './format-cron-error.js';
export type { Instant, MillisLike } from './instant.js';
export { type Lint, type LintCode, type LintOptions, lintCron } from './lint-cron.js';
export {
  matches,
  neverFires,
  nextOccurrence,
  previousOccurrence,
  tryNextOccurrence,
  tryPreviousOccurrence,
} from './occurrence.js';
export { type OccurrencesOptions, occurrences } from './occurrences.js';
export { firstCollision, type Overlap, type OverlapOptions, overlap } from './overlap.js';
export { type CronParseResult, type ParseCronOptions, parseCron, tryParseCron } from './parse-cron.js';
export { type CrontabEntry, parseCrontab } from './parse-crontab.js';
