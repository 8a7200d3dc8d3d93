import { expect, test } from 'vitest';
import type { Run } from '../../src/index.js';
import { childProgram } from '../support/child-program.js';
import { reply } from '../support/loopback-server.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage, standingStage } from '../support/network-stage.js';
import { postJson, rawRequest } from '../support/raw-request.js';
import { unrulyExecutor } from '../support/unruly-executor.js';

const accessToken = 'between-processes';
const authorization = `Bearer ${accessToken}`;

const get = async <Answer>(url: string, path: string): Promise<Answer> =>
  JSON.parse((await rawRequest(url, { path, headers: { authorization } })).text);
const post = async (url: string, path: string, body: unknown) =>
  (await postJson(url, path, body, { authorization })).body;
const addJob = (url: string, more = {}) =>
  post(url, '/admin/jobs', { name: 'work', handler: 'work', schedule: { kind: 'none' }, ...more });

onEveryDatabase(() => {
  test('scheduler and executors in processes of their own: a hundred runs, each once, each with its result and its log', async () => {
    const scheduler = await childProgram('scheduler-process.mjs', { ...networkPlace(), accessToken });
    const url = scheduler.ready.url as string;
    const executors = [];
    for (let number = 0; number < 2; number++) {
      executors.push(await childProgram('executor-process.mjs', { urls: [url], accessToken, group: 'default' }));
    }
    await eventually(async () =>
      expect((await get<{ executors: object[] }>(url, '/admin/executors')).executors).toHaveLength(2),
    );
    const { id } = await addJob(url, { route: 'ROUND', block: 'CONCURRENT', concurrency: 8 });
    const triggered = await Promise.all(
      Array.from({ length: 100 }, (_, number) => post(url, `/admin/jobs/${id}/trigger`, { params: number })),
    );
    const succeeded = await eventually(async () => {
      const { runs } = await get<{ runs: Run[] }>(url, '/admin/runs?state=succeeded&limit=1000');
      expect(runs).toHaveLength(100);
      return runs;
    });
    for (const run of succeeded) expect(run.message).toBe(`done ${run.id}`);
    const started = executors.flatMap(({ told }) => told.filter(({ event }) => event === 'started'));
    expect(started.map(({ runId }) => runId).sort()).toEqual(triggered.map((run) => run.id).sort());
    expect(executors.map(({ told }) => told.filter(({ event }) => event === 'started').length)).toEqual([50, 50]);
    expect(await get(url, `/admin/runs/${triggered[7].id}/log`)).toEqual({
      lines: [`run ${triggered[7].id}`],
      nextLine: 1,
      end: true,
    });
  });

  test('an executor killed with SIGKILL is lost after 90 s; its run is retried on another, and nothing completes twice', async () => {
    // The clock goes on while another process answers: a call may take as long as it wants.
    const { ring, url, job, accepted, allEnded, registered, heard, advance } = await standingStage({
      accessToken,
      callTimeoutMs: 60_000,
    });
    const first = await childProgram('executor-process.mjs', { urls: [url], accessToken, group: 'default' });
    await registered(1);
    const { id } = await job({ handler: 'held', retries: 1, retry: { kind: 'fixed', delayMs: 1_000 } });
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await first.until(({ event, runId }) => event === 'started' && runId === run.id);
    await first.kill();
    await advance(80_000);
    const second = await childProgram('executor-process.mjs', { urls: [url], accessToken, group: 'default' });
    await registered(2);
    // Lost after ten more seconds, retried a second later.
    await advance(15_000);
    const { runId } = await second.until(({ event }) => event === 'started');
    second.say({ release: runId });
    expect(await allEnded(run.fireId, 2)).toMatchObject([
      { id: run.id, state: 'failed', code: 500, address: first.ready.address },
      { id: runId, state: 'succeeded', attempt: 2, address: second.ready.address, message: `released ${runId}` },
    ]);
    expect(heard.filter(({ name }) => name === 'run-succeeded')).toHaveLength(1);
  });

  test('a scheduler killed with SIGKILL after a run was accepted: the run goes on, and its result comes to another node', async () => {
    const place = networkPlace();
    const first = await childProgram('scheduler-process.mjs', { ...place, accessToken });
    const second = await networkStage({ ...place, http: { port: 0, accessToken } });
    const url = first.ready.url as string;
    const executor = await childProgram('executor-process.mjs', {
      urls: [url, second.url],
      accessToken,
      group: 'default',
      callbackRetryMs: 100,
    });
    await second.registered(1);
    const { id } = await addJob(url, { handler: 'held', retries: 3 });
    const run: Run = await post(url, `/admin/jobs/${id}/trigger`, {});
    await first.until(({ event, runId }) => event === 'accepted' && runId === run.id);
    await executor.until(({ event, runId }) => event === 'started' && runId === run.id);
    await first.kill();
    // Longer than a lease: a run that its node had to itself would be taken over now.
    await eventually(() =>
      expect(second.heard.filter(({ name }) => name === 'pass-completed').length).toBeGreaterThan(6),
    );
    expect((await second.ring.runs.get(run.id))?.state).toBe('running');
    executor.say({ release: run.id });
    expect(await second.ended(run.id)).toMatchObject({ state: 'succeeded', message: `released ${run.id}`, attempt: 1 });
    expect(executor.told.filter(({ event }) => event === 'started')).toHaveLength(1);
    expect((await second.ring.runs.list({ fireId: run.fireId })).runs).toHaveLength(1);
  });

  test('a scheduler killed before its run was answered: another node sends it again under the same logId', async () => {
    const place = networkPlace();
    const first = await childProgram('scheduler-process.mjs', { ...place });
    const second = await networkStage({ ...place });
    const url = first.ready.url as string;
    let isAnswering = false;
    const executor = await unrulyExecutor(url, {
      '/run': (_body, response) => (isAnswering ? reply(response, { code: 200 }) : undefined),
    });
    const { id } = await addJob(url);
    const run: Run = await post(url, `/admin/jobs/${id}/trigger`, {});
    await eventually(() => expect(executor.runs()).toHaveLength(1));
    isAnswering = true;
    await first.kill();
    await eventually(() => expect(executor.runs()).toHaveLength(2));
    expect(executor.runs().map(({ logId }) => logId)).toEqual([run.id, run.id]);
    await executor.callback(run.id, 200, 'at last', second.url);
    expect(await second.ended(run.id)).toMatchObject({ state: 'succeeded', message: 'at last', attempt: 1 });
  });

  test('a scheduler that stops leaves an accepted run to its executor, and does not wait for it', async () => {
    const place = networkPlace();
    const first = await childProgram('scheduler-process.mjs', { ...place });
    const second = await networkStage({ ...place });
    const url = first.ready.url as string;
    const executor = await unrulyExecutor(url, {});
    const { id } = await addJob(url);
    const run: Run = await post(url, `/admin/jobs/${id}/trigger`, {});
    await first.until(({ event, runId }) => event === 'accepted' && runId === run.id);
    first.say({ stop: true });
    await first.until(({ event }) => event === 'stopped');
    expect((await second.ring.runs.get(run.id))?.state).toBe('running');
    await executor.callback(run.id, 200, 'to the other', second.url);
    expect(await second.ring.runs.get(run.id)).toMatchObject({ state: 'succeeded', message: 'to the other' });
  });

  test('a result waits for a scheduler that is down, and arrives when it is back on its port', async () => {
    const place = networkPlace();
    const first = await networkStage({ ...place });
    const { port } = first.ring.http!;
    const executor = await childProgram('executor-process.mjs', {
      urls: [first.url],
      group: 'default',
      callbackRetryMs: 50,
      beatMs: 500,
    });
    await first.registered(1);
    const { id } = await first.job({ handler: 'held' });
    const run = await first.ring.jobs.trigger(id);
    await first.accepted(run.id);
    await executor.until(({ event }) => event === 'started');
    await first.ring.stop();
    executor.say({ release: run.id });
    const again = await networkStage({ ...place, http: { port } });
    expect(await again.ended(run.id)).toMatchObject({ state: 'succeeded', message: `released ${run.id}` });
  });

  test('an executor process that is told to stop delivers what it ran and leaves the registry', async () => {
    const { ring, url, job, accepted, ended, registered } = await networkStage();
    const executor = await childProgram('executor-process.mjs', { urls: [url], group: 'default' });
    await registered(1);
    const { id } = await job({ handler: 'held' });
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await executor.until(({ event }) => event === 'started');
    executor.say({ stop: true });
    await executor.until(({ event }) => event === 'stopped');
    expect(await ended(run.id)).toMatchObject({ state: 'failed', code: 500, message: 'The executor stopped' });
    expect(await ring.executors.list()).toEqual([]);
  });
});
