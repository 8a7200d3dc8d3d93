import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  barsCsv,
  type EpochResult,
  eventsCsv,
  figuresCsv,
  type ReplicateOptions,
  type Replication,
  renderReport,
  summarize,
} from '@horae/epoch-sim';
import { wholeNumber } from '../arguments/number-argument.js';
import { CommandInputError } from '../frame/command-errors.js';
import type { Answer } from '../frame/define-command.js';
import { textTable } from '../output/text-table.js';

/** The options of a replication, from the words of the command line. */
export function replicationSettings(
  args: { readonly runs?: string; readonly seed?: string; readonly workers?: string },
  showProgress: (text: string) => void,
): ReplicateOptions {
  return {
    runs: wholeNumber('--runs', args.runs, { fallback: 1, least: 1, most: 1_000_000 }),
    seed: seedOf(args.seed),
    workers: wholeNumber('--workers', args.workers, { fallback: 0, least: 0, most: 64 }),
    onProgress: (done, total) => showProgress(done === total ? '' : `run ${done} of ${total} …`),
  };
}

/** A seed that is written as a number is one, so that `--seed 7` draws what `seed: 7` draws in a program. */
export function seedOf(text: string | undefined): number | string {
  if (text === undefined) return 0;
  return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

export function summaryAnswer(results: readonly EpochResult[]): Answer {
  const summary = summarize(results);
  return { json: summary, text: textTable(figureRows(summary, '')) };
}

/** Every number under its dotted name; curves are left to the report. */
function figureRows(value: object, path: string): string[][] {
  return Object.entries(value).flatMap(([key, inner]): string[][] => {
    const name = path === '' ? key : `${path}.${key}`;
    if (Array.isArray(inner)) return [];
    if (typeof inner === 'object' && inner !== null) return figureRows(inner, name);
    return [[name, inner === null ? '' : String(inner)]];
  });
}

export function estimatesText({ runs, estimates }: Replication): string {
  const rows = Object.entries(estimates).map(([figure, { mean, low, high }]) => [
    figure,
    ...[mean, low, high].map(short),
  ]);
  return `${runs} runs\n${textTable([['figure', 'mean', 'low', 'high'], ...rows])}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}

export async function writeTables(folder: string, results: readonly EpochResult[]): Promise<void> {
  const tables = { events: eventsCsv(results), bars: barsCsv(results), figures: figuresCsv(summarize(results)) };
  await writing(folder, async () => {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(tables)) await writeFile(join(folder, `${name}.csv`), text);
  });
}

export async function writeReport(file: string, results: readonly EpochResult[], title?: string): Promise<void> {
  await writing(file, () => writeFile(file, renderReport(results, title === undefined ? {} : { title })));
}

async function writing(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new CommandInputError(`${path} cannot be written: ${(error as Error).message}`, {
      hint: 'name a place that exists and may be written to',
      path,
    });
  }
}
