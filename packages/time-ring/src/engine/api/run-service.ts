import { TimeRingError } from '../../model/errors.js';
import type { Runs } from '../../model/interface.js';
import { readPage } from '../../model/page.js';
import { DELAYED, isOver, publicRun, REMOTE, type RunRow, UNOWNED, WAITING } from '../../model/run.js';
import { killed } from '../../workbench/assignment.js';
import type { RemoteCalls } from '../../workbench/remote-calls.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { ExecutorRegistry } from '../dispatch/registry.js';
import type { RemoteSender } from '../dispatch/sender.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { Recorder } from '../record/recorder.js';
import { isRemoteAddress } from '../record/reported-ends.js';
import type { RunLogs } from '../record/run-logs.js';
import type { RemoteResults } from '../upkeep/remote-results.js';
import { boundedPage } from './bounded-page.js';
import { readFilter } from './read-filter.js';
import { createRunRetries } from './run-retries.js';
import { createRunWaits } from './run-waits.js';
import { groupRuns, isOfGroup, isSearch, searchRuns } from './search-runs.js';
import type { ServiceNode } from './service-node.js';

const KILLED_BY_USER = 'Killed by a user';
const MAX_LINES_PER_READ = 10_000;
const MAX_LOOKS = 20;

export interface RunServiceParts {
  readonly owned: Pick<OwnedRuns, 'get' | 'markUncertain'>;
  readonly intake: Pick<RunIntake, 'accept'>;
  readonly logs: Pick<RunLogs, 'flush'>;
  readonly recorder: Pick<Recorder, 'end' | 'ended' | 'report'>;
  readonly registry: Pick<ExecutorRegistry, 'local' | 'locals'>;
  readonly sender: Pick<RemoteSender, 'sending'>;
  readonly calls: Pick<RemoteCalls, 'kill' | 'log'>;
  readonly results: Pick<RemoteResults, 'duringKill'>;
}

/** Owners that are not nodes do not read kills. */
function isNode(owner: string | null): boolean {
  return owner !== null && ![UNOWNED, WAITING, DELAYED, REMOTE].includes(owner);
}

/** The runs of a ring, whichever nodes own them. */
export function createRunService(node: ServiceNode, parts: RunServiceParts): Runs {
  const { store } = node;
  const { owned, intake, logs, recorder, registry, sender, calls, results } = parts;

  async function find(id: number): Promise<RunRow> {
    const row = Number.isSafeInteger(id) && id > 0 ? await store.run(id) : null;
    if (row !== null) return row;
    throw new TimeRingError('unknown-run', `There is no run ${String(id)}; runs.list shows those there are`, {
      field: 'id',
      value: id,
    });
  }

  async function kill(id: number): Promise<boolean> {
    // For a run that is being sent it is unknown whether there is something to kill.
    await sender.sending(id);
    const row = await find(id);
    if (isOver(row.state)) return false;
    if (row.state !== 'pending' && isRemoteAddress(row.address)) return killRemote(row);
    const slots = registry.locals().find(({ slots }) => slots.has(id))?.slots;
    if (slots?.kill(id, KILLED_BY_USER)) return recorder.ended(id);
    const mine = owned.get(id);
    return mine === undefined ? killElsewhere(row) : end(mine);
  }

  function end(run: Parameters<Recorder['end']>[0]): Promise<boolean> {
    recorder.end(run, killed(KILLED_BY_USER));
    return recorder.ended(run.row.id);
  }

  /** Ends a run that is not on this node in the database, and notes the kill for the node that owns it, if any. */
  async function killElsewhere(row: RunRow): Promise<boolean> {
    const isKilled = await end({ row, job: null });
    if (isKilled && isNode(row.owner)) {
      await store.transaction(async (trx) => {
        await trx.addKill(row.owner!, row.id);
        await trx.wake([row.owner!]);
      });
    }
    return isKilled;
  }

  function killRemote({ id, jobId, address }: RunRow): Promise<boolean> {
    return results.duringKill(
      id,
      () => calls.kill(address!, { jobId, runId: id }),
      async (answer) => {
        if (answer.ok) return (await recorder.report({ runId: id, ...killed(KILLED_BY_USER) })) === 'recorded';
        throw new TimeRingError('kill-refused', `The executor did not kill run ${id}: ${answer.message}`, {
          field: 'id',
          value: id,
        });
      },
    );
  }

  return {
    kill,
    async get(id) {
      const row = Number.isSafeInteger(id) && id > 0 ? await store.run(id) : null;
      return row === null ? null : publicRun(row);
    },
    wait: createRunWaits(node, find),
    ...createRunRetries(node, { owned, intake, find }),
    async cancel(id) {
      await find(id);
      // A run that changes owner meanwhile is read again under its new owner.
      for (let look = 0; look < MAX_LOOKS; look++) {
        if (await kill(id)) return true;
        if (isOver((await find(id)).state)) return false;
      }
      throw new TimeRingError('kill-refused', `Run ${id} changed hands ${MAX_LOOKS} times: try again`, {
        field: 'id',
        value: id,
      });
    },
    async list({ cursor: from, limit: most, ...filter } = {}) {
      const query = await readFilter(store, filter);
      const { limit, cursor } = readPage({ cursor: from, limit: most }, 1_000);
      if (isSearch(query)) return searchRuns(store, query, { limit, cursor });
      if (isOfGroup(query)) return groupRuns(store, query, { limit, cursor });
      const { items, cursor: next } = await boundedPage(limit, (after, count) =>
        store.runs({ ...query, limit: count, beforeId: after ?? cursor }),
      );
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
      const stored = await store.logLines(id, fromLine, MAX_LINES_PER_READ);
      const isElsewhere = row.address !== null && row.firedAt !== null && !isHere(row);
      const shown =
        stored.length === 0 && isElsewhere
          ? await calls.log(row.address!, { runId: id, firedAt: row.firedAt!, fromLine })
          : { lines: stored, hasMore: stored.length === MAX_LINES_PER_READ };
      // A log that could not be read is not over: it may be readable later.
      const { lines, hasMore } = shown ?? { lines: [], hasMore: true };
      return { lines, nextLine: fromLine + lines.length, end: isOver(row.state) && !hasMore };
    },
  };

  function isHere(row: RunRow): boolean {
    return !isRemoteAddress(row.address) || registry.local(row.address!) !== undefined;
  }
}
