import type { AlertCause } from '../../model/alert.js';
import type { Job } from '../../model/job.js';
import type { Run } from '../../model/run.js';

/** The part of a run that a message contains. */
export type ToldRun = Pick<Run, 'id' | 'fireId' | 'attempt' | 'scheduleTime' | 'message'>;

/** A cause of an alert, with the job and the run it concerns. */
export interface Trouble {
  readonly on: AlertCause;
  readonly at: number;
  readonly job: Job | null;
  readonly run: ToldRun | null;
  /** The text of the message apart from the name of the job. */
  readonly what: string;
  /** Restricts the rules' channels; all of them when omitted. */
  readonly channels?: readonly string[];
  /** How often it has happened; once when omitted. */
  readonly count?: number;
}

const MAX_TEXT = 1_000;

/** One line for people. */
export function alertText({ job, what }: Pick<Trouble, 'job' | 'what'>, count: number): string {
  const subject = job === null ? '' : `Job "${job.name}"${job.key === null ? '' : ` (${job.key})`} `;
  const often = count > 1 ? ` (${count} times)` : '';
  return `${subject}${what}${often}`.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
}

export function failedText({ attempt, message }: Pick<ToldRun, 'attempt' | 'message'>): string {
  const tries = attempt === 1 ? '' : ` after ${attempt} attempts`;
  return `has failed${tries}${message === null || message === '' ? '' : `: ${message}`}`;
}

export function recoveredText(failures: number): string {
  return failures === 0 ? 'has recovered' : `has recovered after ${failures} more failures`;
}

export function misfireText(strategy: Job['misfire'], first: number, last: number): string {
  const range = first === last ? iso(first) : `${iso(first)} to ${iso(last)}`;
  const then = strategy === 'FIRE_ONCE_NOW' ? 'runs once now' : 'skips them';
  return `has missed its occurrences of ${range} and ${then}`;
}

export function lateText(lateMs: number): string {
  return `has started ${seconds(lateMs)} late`;
}

export function waitingText(waitedMs: number, reason: string | null): string {
  return `has waited for ${seconds(waitedMs)}${reason === null ? '' : `, for want of: ${reason}`}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
