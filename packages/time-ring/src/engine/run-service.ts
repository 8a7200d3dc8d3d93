import { pageOf, readPage } from '../decide/page.js';
import { killed } from '../executor/assignment.js';
import type { RemoteCalls } from '../http/remote-calls.js';
import { isOver, publicRun, type RunRow, runStates, triggerTypes } from '../run.js';
import { TimeRingError } from '../time-ring-error.js';
import type { Runs } from '../time-ring-interface.js';
import type { ExecutorRegistry } from './executor-registry.js';
import type { KnownRuns } from './known-runs.js';
import type { Recorder } from './recorder.js';
import { isRemoteAddress, type RemoteResults } from './remote-results.js';
import type { RemoteSender } from './remote-sender.js';
import type { RingNode } from './ring-node.js';
import type { RunLogs } from './run-logs.js';

const KILLED_BY_USER = 'Killed by a user';
const MOST_LINES_A_READ = 10_000;

export interface RunServiceParts {
  readonly known: KnownRuns;
  readonly logs: RunLogs;
  readonly recorder: Recorder;
  readonly registry: ExecutorRegistry;
  readonly sender: RemoteSender;
  readonly calls: RemoteCalls;
  readonly results: RemoteResults;
}

/** The runs of a ring, on whatever node they are. */
export function createRunService(node: RingNode, parts: RunServiceParts): Runs {
  const { store } = node;
  const { known, logs, recorder, registry, sender, calls, results } = parts;

  async function find(id: number): Promise<RunRow> {
    const row = Number.isSafeInteger(id) && id > 0 ? await store.run(id) : null;
    if (row !== null) return row;
    throw new TimeRingError('unknown-run', `There is no run ${String(id)}; runs.list shows those there are`, {
      field: 'id',
      value: id,
    });
  }

  async function kill(id: number): Promise<boolean> {
    // Nobody can say of a run that is on its way whether there is something to kill.
    await sender.sending(id);
    const row = await find(id);
    if (isOver(row.state)) return false;
    if (row.state !== 'pending' && isRemoteAddress(row.address)) return killRemote(row);
    const bench = registry.locals().find(({ bench }) => bench.has(id))?.bench;
    if (bench?.kill(id, KILLED_BY_USER)) return recorder.ended(id);
    const mine = known.get(id);
    return mine === undefined ? killElsewhere(row) : end(mine);
  }

  function end(run: Parameters<Recorder['end']>[0]): Promise<boolean> {
    recorder.end(run, killed(KILLED_BY_USER));
    return recorder.ended(run.row.id);
  }

  /** A run that is now being handed to another node's executor is ended in the database; its node is told. */
  async function killElsewhere(row: RunRow): Promise<boolean> {
    const isKilled = await end({ row, job: null });
    if (isKilled && row.owner) await store.transaction((trx) => trx.addKill(row.owner!, row.id));
    return isKilled;
  }

  async function killRemote(row: RunRow): Promise<boolean> {
    const release = results.holdBack(row.id);
    try {
      const answer = await calls.kill(row.address!, { jobId: row.jobId, runId: row.id });
      if (answer.ok) return await end({ row, job: null });
      throw new TimeRingError('kill-refused', `The executor did not kill run ${row.id}: ${answer.message}`, {
        field: 'id',
        value: row.id,
      });
    } finally {
      await release();
    }
  }

  return {
    kill,
    async get(id) {
      const row = Number.isSafeInteger(id) && id > 0 ? await store.run(id) : null;
      return row === null ? null : publicRun(row);
    },
    async list({ jobId, fireId, state, triggerType, from, to, ...page } = {}) {
      oneOf('state', state, runStates);
      oneOf('triggerType', triggerType, triggerTypes);
      const { limit, cursor } = readPage(page, 1_000);
      const query = { jobId, fireId, state, triggerType, from, to };
      const { items, cursor: next } = pageOf(await store.runs({ ...query, limit: limit + 1, beforeId: cursor }), limit);
      return { runs: items, cursor: next };
    },
    async log(id, { fromLine = 0 } = {}) {
      if (!Number.isSafeInteger(fromLine) || fromLine < 0) {
        throw new TimeRingError('bad-option', `fromLine must be a whole number from 0 on; got ${String(fromLine)}`, {
          field: 'fromLine',
          value: fromLine,
        });
      }
      const row = await find(id);
      await logs.flush();
      let lines = await store.logLines(id, fromLine, MOST_LINES_A_READ);
      if (lines.length === 0 && row.address !== null && row.firedAt !== null && !isHere(row)) {
        lines = await calls.log(row.address, { runId: id, firedAt: row.firedAt, fromLine });
      }
      return { lines, nextLine: fromLine + lines.length, end: isOver(row.state) };
    },
  };

  function isHere(row: RunRow): boolean {
    return !isRemoteAddress(row.address) || registry.local(row.address!) !== undefined;
  }
}

function oneOf(field: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw new TimeRingError('bad-option', `${field} must be one of ${choices.join(', ')}; got ${String(value)}`, {
    field,
    value,
  });
}
