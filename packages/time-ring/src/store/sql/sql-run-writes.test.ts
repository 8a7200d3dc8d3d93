import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addJob, addRuns, fire, newRun } from '../../testing/conformance-stage.js';
import { sqlJobStore } from './sql-job-store.js';
import { runMoves } from './sql-run-moves.js';
import { updateOf } from './sql-run-writes.js';

const HISTORY = 5_000;

test('statistics of a long history do not lead SQLite to read all open runs for each run of a batch', async () => {
  await using database = await openDatabase('sqlite::memory:');
  const store = await sqlJobStore(database);
  const { id: jobId } = await addJob(store);
  const over = newRun({ jobId, state: 'succeeded', owner: null, endedAt: 1 });
  await addRuns(store, ...Array.from({ length: HISTORY }, () => over));
  await sql.raw('analyze').execute(database.kysely);
  const ids = await addRuns(store, newRun({ jobId }), newRun({ jobId }));
  const rows = ids
    .map((id) => fire(id))
    .map((run) => [run.id, run.owner, run.fence, 'running', 'a', 1, run.firedAt, 1]);
  const { rows: plan } = await sql<{ detail: string }>`
    explain query plan ${updateOf('sqlite', runMoves.fire, rows)}`.execute(database.kysely);
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH horae_ring_runs USING INTEGER PRIMARY KEY (rowid=?)');
});
