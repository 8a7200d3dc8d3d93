import type { Clock } from '@horae/clock-store';
import { TimeRingError } from '../model/errors.js';
import { readInserts } from './sql-inserts.js';
import { SqlTextError } from './sql-tokens.js';

/** A row with normalised keys: job_desc, jobDesc and JOB_DESC are all `jobdesc`. */
export type ExportRow = ReadonlyMap<string, unknown>;

/** The two tables of an export that are read. */
export interface XxlExport {
  readonly jobs: readonly (ExportRow | { readonly problem: string })[];
  readonly groups: readonly ExportRow[];
}

const JOBS = 'xxl_job_info';
const GROUPS = 'xxl_job_group';

/**
 * Reads an export of XXL-JOB's tables, a long SQL export with turns of the event loop in between. Rejects with 'bad-import' for a text
 * that is not an export.
 */
export async function readExport(text: string, format: 'sql' | 'json' | undefined, clock: Clock): Promise<XxlExport> {
  const first = text.trimStart()[0] ?? '';
  const isJson = format === undefined ? first === '{' || first === '[' : format === 'json';
  return isJson ? readJson(text) : readSql(text, clock);
}

function readJson(text: string): XxlExport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badImport(`The text is not JSON: ${(cause as Error).message}`, cause);
  }
  if (Array.isArray(value)) return { jobs: value.map(exportRow), groups: [] };
  const tables = isRecord(value) ? alike(value) : new Map<string, unknown>();
  const jobs = tables.get(keyOf(JOBS));
  const groups = tables.get(keyOf(GROUPS)) ?? [];
  if (!Array.isArray(jobs) || !Array.isArray(groups)) {
    throw badImport(`JSON must be an array of rows or { "${JOBS}": [...], "${GROUPS}": [...] }`);
  }
  return { jobs: jobs.map(exportRow), groups: groups.filter(isRecord).map(alike) };
}

async function readSql(text: string, clock: Clock): Promise<XxlExport> {
  if (!/xxl_job_(?:info|group)/i.test(text)) {
    throw badImport(`The text has no INSERT into ${JOBS}: export that table as SQL with column names, or as JSON`);
  }
  const jobs: XxlExport['jobs'][number][] = [];
  const groups: ExportRow[] = [];
  try {
    for await (const { table, values, problem } of readInserts(text, clock)) {
      const name = table.toLowerCase();
      if (name === JOBS) jobs.push(values === null ? { problem: problem! } : alike(values));
      else if (name === GROUPS && values !== null) groups.push(alike(values));
    }
    return { jobs, groups };
  } catch (cause) {
    if (cause instanceof SqlTextError)
      throw badImport(`The SQL breaks off: ${cause.message} (line ${cause.line})`, cause);
    throw cause;
  }
}

function exportRow(value: unknown): ExportRow | { problem: string } {
  return isRecord(value) ? alike(value) : { problem: 'the row is not an object' };
}

function alike(row: Readonly<Record<string, unknown>>): ExportRow {
  return new Map(Object.entries(row).map(([key, value]) => [keyOf(key), value]));
}

function keyOf(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badImport(message: string, cause?: unknown): TimeRingError {
  return new TimeRingError('bad-import', message, { field: 'text' }, cause === undefined ? {} : { cause });
}
