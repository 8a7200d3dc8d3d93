import type { ExportRow } from './read-export.js';
import type { CheckedJob } from './write-jobs.js';

/** A part of an export that was changed on import, or has no equivalent here, with its value. */
export interface ImportWarning {
  readonly xxlId: number | null;
  readonly message: string;
}

/** Columns of xxl_job_info that are imported, or that only record the history of a job there. */
const KNOWN = new Set([
  ...['id', 'jobgroup', 'jobdesc', 'author', 'jobcron', 'scheduletype', 'scheduleconf', 'misfirestrategy'],
  ...['executorroutestrategy', 'executorhandler', 'executorparam', 'executorblockstrategy', 'executortimeout'],
  ...['executorfailretrycount', 'gluetype', 'childjobid', 'triggerstatus'],
  ...['addtime', 'updatetime', 'glueremark', 'glueupdatetime', 'triggerlasttime', 'triggernexttime'],
]);

/** The values of a row of xxl_job_info for which a job has no field. */
export function rowWarnings(xxlId: number, row: ExportRow): readonly ImportWarning[] {
  const left = [...row].filter(([column, value]) => !KNOWN.has(column) && !isEmpty(value));
  return left.map(([column, value]) => ({ xxlId, message: warningOf(column, shown(value)) }));
}

function warningOf(column: string, value: string): string {
  if (column === 'alarmemail')
    return `alarm_email ${value} is not kept: give the job or its group alerts to a channel of kind email`;
  if (column === 'gluesource') return `glue_source is not kept, a BEAN job names a handler: ${value}`;
  return `the column ${column} has no field here: ${value}`;
}

/**
 * The values of a row of xxl_job_group besides its name. Addresses that executors registered themselves return with their next heartbeat.
 */
export function groupWarnings(group: ExportRow): readonly ImportWarning[] {
  const name = shown(group.get('appname') ?? group.get('id'));
  const title = group.get('title');
  const addresses = group.get('addresslist');
  const isManual = Number(group.get('addresstype') ?? 0) === 1;
  return [
    ...(isEmpty(title) ? [] : [`the title of the group ${name} is not kept, give it with groups.put: ${shown(title)}`]),
    ...(isManual && !isEmpty(addresses)
      ? [`the manual addresses of the group ${name} are not kept, give them with groups.put: ${shown(addresses)}`]
      : []),
  ].map((message) => ({ xxlId: null, message }));
}

/** XXL-JOB stores no time zone with a job. */
export function zoneWarnings(jobs: readonly CheckedJob[], zone: string | undefined): readonly ImportWarning[] {
  const crons = jobs.filter(({ settings }) => settings.schedule.kind === 'cron').length;
  if (zone !== undefined || crons === 0) return [];
  const message = `No zone is given for ${crons} cron jobs: XXL-JOB runs them in the zone of its JVM, this ring in its own; give that zone with the option zone`;
  return [{ xxlId: null, message }];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

const MAX_SHOWN = 200;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}
