import { isHoraeError } from '@horae/clock-store';
import { escapeLines } from './escape-controls.js';
import { plainJson } from './plain-json.js';

/** The reported form of an error: an object for `--json`, lines of text otherwise. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: unknown;
}

/** Turns any thrown value into a report. Errors of other libraries keep their `code`. */
export function reportOf(error: unknown): ErrorReport {
  if (isHoraeError(error)) {
    const details = error.details as Record<string, unknown>;
    const hint = hintOf(error.code, details);
    const { hint: _, cause: __, ...facts } = details;
    return { code: error.code, message: error.message, hint, details: facts };
  }
  if (!(error instanceof Error)) return { code: 'unexpected', message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  const hint = 'HORAE_DEBUG=1 in the environment shows where it happened';
  return { code: typeof code === 'string' ? code : 'unexpected', message: error.message, hint };
}

/** The report as it goes to standard error. */
export function renderReport(report: ErrorReport, error: unknown, asJson: boolean): string {
  if (asJson) return `${plainJson({ error: report })}\n`;
  const caret = (error as { caret?: () => string }).caret;
  const lines = [`horae: ${report.message}`];
  // The suggestion is in the hint.
  if (typeof caret === 'function') lines.push('', ...caret.call(error).split('\n').slice(0, 2), '');
  if (report.hint !== undefined) lines.push(`hint: ${report.hint}`);
  return `${escapeLines(lines.join('\n'))}\n`;
}

/** Exit code 2 for an invalid command line, 1 for every other error. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return isHoraeError(error) && error.code === 'wrong-usage' ? 2 : 1;
}

function hintOf(code: string, details: Record<string, unknown>): string {
  if (typeof details.hint === 'string') return details.hint;
  if (typeof details.install === 'string') return details.install;
  if (typeof details.suggestion === 'string') return `did you mean "${details.suggestion}"?`;
  return hints[code] ?? 'the command with --help shows what it takes';
}

const hints: Readonly<Record<string, string>> = {
  'cron-invalid-expression':
    'five fields: minute hour day month weekday; --dialect vixie reads crontabs, --dialect quartz six or seven fields',
  'cron-invalid-calendar':
    'keys are dates, weekdays, windows, cron, ics and zone: {"dates": ["12-25"], "weekdays": [0, 6]}',
  'cron-natural-text': 'try "every weekday at 9", "every 15 minutes" or "on the 1st of the month at 6:30"',
  'cron-calculation': 'there is no such date, or a calendar leaves none; "horae cron check" says which',
  'unknown-zone': 'zones have IANA names, such as UTC, Europe/Berlin or America/New_York',
  InvalidScenario: '"horae sim run --help" shows a scenario',
  'database-folder-missing': 'create the folder first; the file is made when it is missing',
  'unknown-job': '"horae ring list" shows the jobs',
  'unknown-run': '"horae ring runs" shows the runs',
  'not-schedulable': 'give it a schedule, or run it with "horae ring trigger"',
  'namespace-busy':
    'stop it, or give one of the two another namespace or database; with "instances: standby" the second one waits and takes over',
  'claim-mode-mismatch': 'all nodes of a database use the same --claim',
  'bad-schedule': 'Quartz has six fields, seconds first: "0 0 9 ? * MON-FRI"; --posix takes five',
  'bad-database-url': 'sqlite:./horae.db, postgres://user@host/database or mysql://user@host/database',
};
