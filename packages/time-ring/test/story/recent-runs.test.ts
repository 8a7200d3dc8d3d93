import { expect, onTestFinished, test } from 'vitest';
import { createRingAdmin } from '../../src/admin/ring-admin.js';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';

async function stage() {
  const ring = await startTimeRing(networkPlace());
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  const fail = () => {
    throw new Error('no');
  };
  for (const group of ['blue', 'red']) await createExecutor({ ring, group, handlers: { ok: () => 1, fail } });
  const admin = createRingAdmin(ring);
  onTestFinished(() => admin.close());
  const ask = async (query: Record<string, string>) => {
    const response = await admin.fetch(
      new Request('http://x/admin/recent-runs'),
      '/admin/recent-runs',
      new URLSearchParams(query).toString(),
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const add = async (handler: string, executorGroup: string) =>
    (await ring.jobs.add({ name: handler, handler, executorGroup, schedule: { kind: 'none' } })).id;
  return { ring, ask, add };
}

onEveryDatabase(() => {
  test('gives the newest runs of each job with state and duration, and a job without runs with none', async () => {
    const { ring, ask, add } = await stage();
    const [good, bad, idle] = [await add('ok', 'blue'), await add('fail', 'red'), await add('ok', 'nobody')];
    const runs: number[] = [];
    for (let i = 0; i < 4; i++) {
      const run = await ring.jobs.trigger(good);
      await ring.runs.wait(run.id);
      runs.unshift(run.id);
    }
    const failed = (await ring.jobs.trigger(bad)).id;
    await ring.runs.wait(failed);
    const waiting = (await ring.jobs.trigger(idle)).id;
    const { status, body } = await ask({ jobIds: `${good},${bad},${idle},99`, limit: '3' });
    expect(status).toBe(200);
    expect(body.jobs).toEqual([
      { jobId: good, runs: runs.slice(0, 3).map((id) => ({ id, state: 'succeeded', tookMs: expect.any(Number) })) },
      { jobId: bad, runs: [{ id: failed, state: 'failed', tookMs: expect.any(Number) }] },
      { jobId: idle, runs: [{ id: waiting, state: expect.any(String), tookMs: null }] },
      { jobId: 99, runs: [] },
    ]);
    const seen = await ask({ jobIds: `${good},${bad}`, groups: '["red"]' });
    expect(seen.body.jobs).toMatchObject([{ jobId: bad }]);
    expect((await ask({ jobIds: `${good}`, groups: '[]' })).body.jobs).toEqual([]);
  });

  test.each([
    { story: 'no ids', query: { jobIds: '' } },
    { story: 'something that is no id', query: { jobIds: '1,x' } },
    { story: 'statements', query: { jobIds: '1;drop table horae_ring_runs' } },
    { story: 'too many', query: { jobIds: Array.from({ length: 101 }, (_, i) => i + 1).join(',') } },
    { story: 'too many runs', query: { jobIds: '1', limit: '31' } },
  ])('refuses $story by name', async ({ query }) => {
    const { ask } = await stage();
    const { status, body } = await ask(query as Record<string, string>);
    expect([status, (body.error as { message: string }).message]).toEqual([400, expect.stringMatching(/jobIds|limit/)]);
  });
}, ['lock-row']);
