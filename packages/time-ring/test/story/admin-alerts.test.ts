import { expect, onTestFinished, test } from 'vitest';
import { createRingAdmin } from '../../src/admin.js';
import { type AlertMessage, createExecutor, type RingOptions, startTimeRing } from '../../src/index.js';
import { alertSink } from '../support/alert-stage.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';

async function stage(options: Partial<RingOptions> = {}) {
  const ring = await startTimeRing({ ...networkPlace(), ...options });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  const fail = () => {
    throw new Error('no');
  };
  await createExecutor({ ring, handlers: { fail } });
  const admin = createRingAdmin(ring);
  onTestFinished(() => admin.close());
  const ask = async (method: string, path: string, body?: unknown) => {
    const [bare = '', query = ''] = path.split('?');
    const init = { method, headers: { 'content-type': 'application/json' } };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await admin.fetch(new Request(`http://ring.example${path}`, { ...init, ...sent }), bare, query);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return { ring, ask };
}

const job = { handler: 'fail', schedule: { kind: 'none' } as const };
const failed = (channel: string) => [{ on: 'fire-failed', channel }] as const;

onEveryDatabase(() => {
  test('what became of messages is listed, and what waits says why', async () => {
    const sink = await alertSink();
    const gone = await alertSink(503, 503, 503, 503, 503, 503);
    const { ring, ask } = await stage({
      channels: { ops: { kind: 'webhook', url: sink.url }, down: { kind: 'webhook', url: gone.url } },
    });
    const good = await ring.jobs.add({ ...job, name: 'good', alerts: failed('ops') });
    const bad = await ring.jobs.add({ ...job, name: 'bad', alerts: failed('down') });
    for (const { id } of [good, bad]) await ring.jobs.trigger(id);
    const list = async (query = '') => (await ask('GET', `/admin/alerts/deliveries${query}`)).body;
    await eventually(async () => {
      expect((await list('?state=sent')).deliveries).toMatchObject([
        { channel: 'ops', state: 'sent', tries: 1, dueAt: null, error: null, message: { job: { name: 'good' } } },
      ]);
      expect((await list('?state=waiting')).deliveries).toMatchObject([
        { channel: 'down', state: 'waiting', endedAt: null, error: expect.stringContaining('503') },
      ]);
    });
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.cursor}`);
    const ids = [...first.deliveries, ...second.deliveries].map(({ message }: { message: AlertMessage }) => message.id);
    expect([ids.length, ids[0]! > ids[1]!, second.cursor]).toEqual([2, true, null]);
    expect((await ask('GET', '/admin/alerts/deliveries?cursor=x')).status).toBe(400);
  });

  test('rules of a group are replaced alone, and jobs with rules are found', async () => {
    const { ring, ask } = await stage();
    await ring.groups.put({ name: 'g', title: 'kept', maxRunning: 3 });
    const changed = await ask('PUT', '/admin/groups/g/alerts', { alerts: failed('ops') });
    expect(changed).toMatchObject({ status: 200, body: { title: 'kept', maxRunning: 3, alerts: failed('ops') } });
    const wrong = await ask('PUT', '/admin/groups/g/alerts', { alerts: [{ on: 'weather', channel: 'ops' }] });
    expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('alerts.0.on') } } });
    await ring.jobs.add({ ...job, name: 'without' });
    await ring.jobs.add({ ...job, name: 'with', alerts: failed('ops') });
    expect((await ask('GET', '/admin/jobs?hasAlerts=true')).body.jobs).toMatchObject([{ name: 'with' }]);
    expect((await ask('GET', '/admin/jobs?hasAlerts=true&text=w')).body.jobs).toMatchObject([{ name: 'with' }]);
  });
}, ['lock-row']);

test('channels are shown without their secrets', async () => {
  const secrets = ['s3cret-token', 's3cret-signature', 's3cret-password'];
  const { ask } = await stage({
    alerts: [{ on: 'node-lost', channel: 'chat' }],
    channels: {
      chat: { kind: 'webhook', url: 'https://hooks.example/s3cret-token?key=s3cret-token', secret: 's3cret-signature' },
      mail: { kind: 'email', smtp: 'smtp://me:s3cret-password@mail.example', to: ['a@example.com', 'b@example.com'] },
      own: { kind: 'function', send() {} },
    },
  });
  const { body } = await ask('GET', '/admin/alerts');
  expect(body).toEqual({
    rules: [{ on: 'node-lost', channel: 'chat' }],
    quietMs: 600_000,
    channels: [
      { name: 'chat', kind: 'webhook', target: 'https://hooks.example', format: 'json', isSigned: true },
      { name: 'mail', kind: 'email', target: 'a@example.com, b@example.com', format: null, isSigned: false },
      { name: 'own', kind: 'function', target: '', format: null, isSigned: false },
    ],
  });
  for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret);
});

test('a test message says so, arrives once, and a receiver that refuses it is named', async () => {
  const sink = await alertSink(200, 500);
  const { ask } = await stage({ channels: { ops: { kind: 'webhook', url: sink.url } } });
  expect(await ask('POST', '/admin/alerts/test', { channel: 'ops' })).toEqual({ status: 200, body: { sent: true } });
  expect(sink.messages()).toMatchObject([{ id: 0, on: 'test', text: expect.stringContaining('"ops"') }]);
  expect(await ask('POST', '/admin/alerts/test', { channel: 'ops' })).toMatchObject({
    status: 502,
    body: { error: { code: 'alert-not-sent', message: expect.stringContaining('HTTP 500') } },
  });
  expect((await ask('POST', '/admin/alerts/test', { channel: 'constructor' })).status).toBe(404);
  expect(sink.calls.length).toBe(2);
});
