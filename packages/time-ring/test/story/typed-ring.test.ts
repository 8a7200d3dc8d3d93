import { openDatabase } from '@horae/clock-store/storage';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { handler, startTimeRing, typedRing } from '../../src/index.js';
import { createRingStage } from '../support/ring-stage.js';

function mails() {
  const sent: unknown[] = [];
  const schema = z.object({ to: z.array(z.object({ name: z.string() })), at: z.coerce.number<string>().default(0) });
  const handlers = {
    'send-mail': handler(schema, async ({ params, log }) => {
      log('sending');
      sent.push(params);
      return { count: params.to.length };
    }),
    plain: () => null,
  };
  return { handlers, sent };
}

test('the handler gets what the schema makes, and what is written is what was given', async () => {
  await using stage = await createRingStage();
  const { handlers, sent } = mails();
  await stage.executor(handlers);
  const client = typedRing(stage.ring, handlers);
  const run = await client.trigger('send-mail', { params: { to: [{ name: 'a' }], at: '5' } });
  const over = await client.wait(run);
  expect(sent).toEqual([{ to: [{ name: 'a' }], at: 5 }]);
  expect([over.params, over.result]).toEqual([{ to: [{ name: 'a' }], at: '5' }, { count: 1 }]);
  expect((await stage.ring.runs.log(run.id)).lines).toEqual(['sending']);
});

test('the job of a handler is declared at its first use, by many at once, and again when it was removed', async () => {
  await using stage = await createRingStage();
  const { handlers } = mails();
  const clients = Array.from({ length: 4 }, () => typedRing(stage.ring, handlers));
  const runs = await Promise.all(clients.map((client) => client.trigger('plain', {})));
  expect(new Set(runs.map(({ jobId }) => jobId)).size).toBe(1);
  const job = (await stage.ring.jobs.get(runs[0]!.jobId))!;
  expect(job).toMatchObject({
    key: 'plain',
    name: 'plain',
    handler: 'plain',
    schedule: { kind: 'none' },
    state: 'STOPPED',
  });
  await stage.ring.jobs.remove(job.id);
  expect((await clients[0]!.triggerMany('plain', [{}, {}])).map(({ jobId }) => jobId)).toEqual([
    job.id + 1,
    job.id + 1,
  ]);
});

test('parameters that do not fit are refused with their path before anything is written', async () => {
  await using stage = await createRingStage();
  const { handlers } = mails();
  const client = typedRing(stage.ring, handlers);
  const broken = { to: [{ name: 'a' }, { name: 5 }] } as never;
  const refusal = {
    code: 'bad-params',
    message: expect.stringContaining('to.1.name'),
    details: { issues: [{ path: 'to.1.name', message: expect.any(String) }] },
  };
  await expect(client.trigger('send-mail', { params: broken })).rejects.toMatchObject(refusal);
  const items = [{ params: { to: [] } }, { params: broken }];
  await expect(client.triggerMany('send-mail', items)).rejects.toMatchObject(refusal);
  await expect(client.trigger('fax' as never, {} as never)).rejects.toMatchObject({ code: 'bad-params' });
  expect((await stage.ring.jobs.list()).jobs).toEqual([]);
});

test('a run whose parameters do not fit fails for good and names the path', async () => {
  await using stage = await createRingStage();
  const { handlers, sent } = mails();
  await stage.executor(handlers);
  const job = await stage.job({ handler: 'send-mail', retries: 5, params: { to: 'nobody' } });
  const run = await stage.ring.jobs.trigger(job.id);
  await stage.clock.settle();
  expect(await stage.ring.runs.get(run.id)).toMatchObject({
    ...{ state: 'failed', code: 500, message: expect.stringContaining('params.to: ') },
  });
  expect((await stage.runs()).length).toBe(1);
  expect(sent).toEqual([]);
});

test('put declares a job whose parameters fit its handler, and refuses others before anything is written', async () => {
  await using stage = await createRingStage();
  const { handlers } = mails();
  const client = typedRing(stage.ring, handlers);
  const nightly = { key: 'nightly', name: 'nightly', handler: 'send-mail', schedule: { kind: 'none' } } as const;
  const broken = client.put({ ...nightly, params: { to: 'everybody' } });
  await expect(broken).rejects.toMatchObject({ code: 'bad-params', message: expect.stringContaining('params.to') });
  expect((await stage.ring.jobs.list()).jobs).toEqual([]);
  expect(await client.put({ ...nightly, params: { to: [] } })).toMatchObject({ outcome: 'added' });
  expect(await client.put({ ...nightly, params: { to: [] } })).toMatchObject({ outcome: 'unchanged' });
});

test('a job that was put is first triggered inside a SQLite transaction of the ring', async () => {
  await using database = await openDatabase('sqlite::memory:');
  await using ring = await startTimeRing({ database });
  const { handlers } = mails();
  const client = typedRing(ring, handlers);
  const { job } = await client.put({ key: 'plain', name: 'plain', handler: 'plain', schedule: { kind: 'none' } });
  const run = await database.transaction((trx) => client.trigger('plain', { transaction: trx }));
  expect(run).toMatchObject({ jobId: job.id, state: 'pending' });
});
