import { type JobInput, misfireStrategies, routeStrategies, type Schedule } from '../model/job.js';
import { blockOfWireName } from '../wire/block-names.js';
import type { ExportRow } from './read-export.js';

/** A job of XXL-JOB in the ring's terms; its children still have their XXL-JOB ids. */
export interface XxlJob {
  readonly xxlId: number;
  readonly job: JobInput;
  readonly children: readonly number[];
  readonly isStarted: boolean;
}

/** Why a row cannot be imported. */
export interface RowProblem {
  readonly xxlId: number | null;
  readonly reason: string;
}

class BrokenRow extends Error {}

/** Translates one row of xxl_job_info. Names of groups come from xxl_job_group, by id. */
export function translateRow(
  row: ExportRow,
  groupNames: ReadonlyMap<number, string>,
  zone?: string,
): XxlJob | RowProblem {
  let xxlId: number | null = null;
  try {
    xxlId = whole(row, 'id');
    if (xxlId === null) throw new BrokenRow('id is missing');
    const glueType = text(row, 'glueType') || 'BEAN';
    if (glueType !== 'BEAN') {
      throw new BrokenRow(`glue_type ${glueType}: only BEAN jobs, which name a handler, can be taken over`);
    }
    return {
      xxlId,
      job: jobOf(row, groupNames, zone),
      children: childrenOf(text(row, 'childJobid')),
      isStarted: whole(row, 'triggerStatus') === 1,
    };
  } catch (error) {
    if (error instanceof BrokenRow) return { xxlId, reason: error.message };
    throw error;
  }
}

function jobOf(row: ExportRow, groupNames: ReadonlyMap<number, string>, zone: string | undefined): JobInput {
  const group = whole(row, 'jobGroup');
  if (group === null) throw new BrokenRow('job_group is missing');
  const seconds = whole(row, 'executorTimeout') ?? 0;
  return {
    name: required(row, 'jobDesc', 'job_desc'),
    handler: required(row, 'executorHandler', 'executor_handler'),
    owner: text(row, 'author'),
    schedule: scheduleOf(row, zone),
    params: text(row, 'executorParam') || null,
    misfire: oneOf(misfireStrategies, text(row, 'misfireStrategy') || 'DO_NOTHING', 'misfire_strategy'),
    route: oneOf(routeStrategies, text(row, 'executorRouteStrategy') || 'FIRST', 'executor_route_strategy'),
    block: blockOf(text(row, 'executorBlockStrategy')),
    timeoutMs: seconds > 0 ? seconds * 1_000 : null,
    retries: Math.max(0, whole(row, 'executorFailRetryCount') ?? 0),
    executorGroup: groupNames.get(group) ?? `group-${group}`,
  };
}

/** Since 2.3 a schedule has a type and its text; before, there was only a cron expression. */
function scheduleOf(row: ExportRow, zone: string | undefined): Schedule {
  const oldCron = text(row, 'jobCron').trim();
  const type = text(row, 'scheduleType') || (oldCron === '' ? 'NONE' : 'CRON');
  const setting = text(row, 'scheduleConf').trim();
  switch (type) {
    case 'NONE':
      return { kind: 'none' };
    case 'CRON':
      return { kind: 'cron', expression: setting || oldCron, ...(zone === undefined ? {} : { zone }) };
    case 'FIX_RATE': {
      const seconds = Number(setting);
      if (!/^\d+$/.test(setting) || seconds < 1)
        throw new BrokenRow(`schedule_conf ${setting}: FIX_RATE wants whole seconds`);
      return { kind: 'fix-rate', everyMs: seconds * 1_000 };
    }
    default:
      throw new BrokenRow(`schedule_type ${type} is not known: CRON, FIX_RATE or NONE`);
  }
}

function blockOf(name: string) {
  const block = blockOfWireName(name || 'SERIAL_EXECUTION');
  if (block === undefined) throw new BrokenRow(`executor_block_strategy ${name} is not known`);
  return block;
}

function childrenOf(list: string): number[] {
  const parts = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const broken = parts.find((part) => !/^\d{1,15}$/.test(part));
  if (broken !== undefined) throw new BrokenRow(`child_jobid ${broken} is not the id of a job`);
  return [...new Set(parts.map(Number))];
}

function oneOf<Name extends string>(names: readonly Name[], name: string, column: string): Name {
  const found = names.find((known) => known === name);
  if (found === undefined) throw new BrokenRow(`${column} ${name} is not known`);
  return found;
}

function required(row: ExportRow, key: string, column: string): string {
  const value = text(row, key);
  if (value.trim() === '') throw new BrokenRow(`${column} is missing`);
  return value;
}

function text(row: ExportRow, key: string): string {
  const value = row.get(key.toLowerCase()) ?? '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new BrokenRow(`${key} is neither a text nor a number`);
}

function whole(row: ExportRow, key: string): number | null {
  const value = text(row, key).trim();
  if (value === '') return null;
  const number = value === 'true' ? 1 : value === 'false' ? 0 : Number(value);
  if (!Number.isSafeInteger(number)) throw new BrokenRow(`${key} ${value} is not a whole number`);
  return number;
}
