import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { networkStage } from '../support/network-stage.js';
import { postJson, rawRequest } from '../support/raw-request.js';
import { EVERY_SECOND, START } from '../support/ring-stage.js';

const MEGABYTE = 1_000_000;

async function openPlace() {
  const database = await openDatabase(networkPlace().database);
  onTestFinished(() => database.close());
  return database;
}

onEveryDatabase(() => {
  test('a page of runs with 1 MB of params each is bounded, and its cursor leads to all of them', async () => {
    const { ring, url, job, ended } = await networkStage();
    await createExecutor({ ring, handlers: { work: () => {} } });
    const { id } = await job({ block: 'CONCURRENT', concurrency: 50 });
    const runs = await Promise.all(Array.from({ length: 50 }, () => ring.jobs.trigger(id)));
    for (const run of runs) await ended(run.id);
    // The API takes no such params: they are those of an older edition, or somebody's own.
    const params = JSON.stringify('x'.repeat(MEGABYTE));
    await sql`update horae_ring_runs set params = ${params}`.execute((await openPlace()).kysely);

    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof ring.runs.list>> = await ring.runs.list({
        include: ['params'],
        limit: 1_000,
        ...(cursor === '' ? {} : { cursor }),
      });
      expect(page.runs.length).toBeGreaterThan(0);
      expect(JSON.stringify(page.runs).length).toBeLessThan(5 * MEGABYTE);
      for (const run of page.runs) {
        expect(run.params).toHaveLength(MEGABYTE);
        seen.push(run.id);
      }
      cursor = page.cursor;
    }
    expect(seen).toEqual(runs.map((run) => run.id).sort((a, b) => b - a));
    const answer = await rawRequest(url, { path: '/admin/runs?limit=1000&include=params' });
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeLessThan(5 * MEGABYTE);
    expect(JSON.parse(answer.text).cursor).not.toBeNull();
  });

  test('a range of runs with 64 KiB of params is answered 202, truncated, with every run that was written', async () => {
    const { url, job } = await networkStage();
    const { id } = await job({ schedule: EVERY_SECOND, params: 'x'.repeat(65_534) });
    const range = { from: START, to: START + 10_000_000, limit: 10_000 };
    const { status, body } = await postJson(url, `/admin/jobs/${id}/trigger-range`, range);
    expect({ status, truncated: body.truncated }).toEqual({ status: 202, truncated: true });
    const { rows } = await sql<{ id: number }>`
      select id from horae_ring_runs where job_id = ${id} order by id`.execute((await openPlace()).kysely);
    const returned = body.runs.map((run: { id: number }) => run.id);
    expect(returned.length).toBeGreaterThan(100);
    expect(rows.map((row) => Number(row.id))).toEqual(returned);
    expect(body.runs.every((run: { params: string }) => run.params.length === 65_534)).toBe(true);
  });
}, ['lock-row']);
