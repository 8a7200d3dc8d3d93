import { isOver, type RunRow } from '../../../src/model/run.js';
import { type Breach, changesOf, groupBy, startsOf, toldOf } from './check-history.js';
import type { HandlerStart, History } from './history-record.js';

const MARGIN_MS = 4_000;
/** Ends that come without a handler. */
const UNSTARTED = /^(The job is gone|Discarded|Refused|No executor)/;

/** Every run is over in the end, by one accepted result, of a handler that began under the fence that counts. */
export function checkEnds(history: History): Breach[] {
  return [
    ...unfinished(history),
    ...endedTwice(history),
    ...toldOnce(history),
    ...attempted(history),
    ...starts(history),
  ];
}

function unfinished({ rows, endedAt }: History): Breach[] {
  return rows
    .filter(({ state, scheduleTime }) => !isOver(state) && (scheduleTime ?? 0) <= endedAt - MARGIN_MS)
    .map(({ id, state, owner, triggerType }) => ({
      rule: 'no-lost-run',
      message: `run ${id} (${triggerType}) is still ${state} with ${owner}`,
    }));
}

function endedTwice(history: History): Breach[] {
  const groups = groupBy(changesOf(history, 'ended'), ({ end }) => end.id);
  return [...groups]
    .filter(([, ends]) => ends.length > 1)
    .map(([id, ends]) => ({ rule: 'one-completion', message: `run ${id} ended ${ends.length} times` }));
}

/** Over all nodes a run's end is told at most once, and as it is stored. */
function toldOnce(history: History): Breach[] {
  const rows = new Map(history.rows.map((row) => [row.id, row]));
  const told = toldOf(history, ['run-succeeded', 'run-failed', 'run-killed']);
  return [...groupBy(told, ({ event }) => event.run.id)].flatMap(([id, ends]) => {
    if (ends.length > 1)
      return [{ rule: 'one-completion', message: `the end of run ${id} was told ${ends.length} times` }];
    const { run } = ends[0]!.event;
    const row = rows.get(id);
    return row?.state === run.state && row.message === run.message && row.code === run.code
      ? []
      : [{ rule: 'told-as-stored', message: `run ${id} was told ${run.state}, and is ${row?.state}` }];
  });
}

function attempted(history: History): Breach[] {
  const all = startsOf(history);
  const byNumber = new Map(all.map((start) => [start.number, start]));
  const byRun = groupBy(all, ({ context }) => context.runId);
  const ends = new Map(changesOf(history, 'ended').map(({ end }) => [end.id, end]));
  return history.rows.flatMap((row) => {
    const end = ends.get(row.id);
    if (end === undefined || row.state === 'killed' || row.state === 'skipped') return [];
    return verdict(row, end, byNumber, byRun.get(row.id) ?? []);
  });
}

function verdict(
  row: RunRow,
  end: { owner: string },
  byNumber: ReadonlyMap<number, HandlerStart>,
  starts: readonly HandlerStart[],
): Breach[] {
  const number = /^start (\d+)$/.exec(row.message ?? '')?.[1];
  if (number === undefined) {
    if (row.message?.startsWith('Given out again')) {
      return [{ rule: 'fence', message: `run ${row.id} took what was said when its older self was aborted` }];
    }
    const isAttempted = row.state === 'failed' && (starts.length > 0 || UNSTARTED.test(row.message ?? ''));
    return isAttempted ? [] : [{ rule: 'attempted', message: `run ${row.id} is ${row.state}: ${row.message}` }];
  }
  const start = byNumber.get(Number(number))!;
  if (start.context.runId === row.id && start.owner === end.owner && start.fence === row.fence) return [];
  const from = `run ${start.context.runId} on ${start.owner} under fence ${start.fence}`;
  return [
    { rule: 'fence', message: `run ${row.id} took the result of ${from} as ${end.owner}'s under fence ${row.fence}` },
  ];
}

/** A handler begins once a fence; and once alone where nobody died and nothing failed. */
function starts(history: History): Breach[] {
  const postponed = new Set(changesOf(history, 'postponed').map(({ id }) => id));
  const keyOf = ({ context, fence }: HandlerStart) =>
    history.plan.weather === 'calm' && !postponed.has(context.runId)
      ? `run ${context.runId}`
      : `run ${context.runId} under fence ${fence}`;
  return [...groupBy(startsOf(history), keyOf)]
    .filter(([, group]) => group.length > 1)
    .map(([key, group]) => ({ rule: 'one-start', message: `${key} began ${group.length} times` }));
}
