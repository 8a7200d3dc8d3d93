/** The name of a field in errors and verdicts; `expression` is the text as a whole. */
export type CronFieldName = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'weekday' | 'year' | 'expression';

/** Where and why a text is not a cron expression. */
export interface CronFault {
  readonly expression: string;
  readonly field: CronFieldName;
  /** The words that end the message. */
  readonly reason: string;
  /** Where the fault begins, counted from 1. */
  readonly column: number;
  /** How many characters the fault spans; 0 when something is missing at `column`. */
  readonly length: number;
  /** A whole expression that parses and means what was probably intended; absent when there is no safe guess. */
  readonly suggestion?: string;
}
