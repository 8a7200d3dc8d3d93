import { expect, test } from 'vitest';
import { answerSchemas } from '../../src/admin/admin-schemas.js';
import { rawRequest } from '../support/raw-request.js';
import { createRingStage } from '../support/ring-stage.js';

const nightly = { key: 'nightly', name: 'n', handler: 'h', schedule: { kind: 'cron', expression: '0 0 3 * * ?' } };

/** A ring with its admin API, and how it is asked. */
async function stage() {
  const started = await createRingStage({ http: { port: 0 } });
  const url = started.ring.http!.url;
  async function ask(method: string, path: string, value?: unknown) {
    const sent = value === undefined ? {} : { body: JSON.stringify(value) };
    const headers = value === undefined ? {} : { 'content-type': 'application/json' };
    const { status, text } = await rawRequest(url, { method, path: `/admin${path}`, headers, ...sent });
    return { status, body: text === '' ? null : JSON.parse(text) };
  }
  return { ...started, ask };
}

test('PUT /jobs declares a job and says what it did', async () => {
  await using started = await stage();
  const { ask } = started;
  const added = await ask('PUT', '/jobs', nightly);
  expect(added.status).toBe(200);
  expect(answerSchemas.declaredJob.parse(added.body)).toMatchObject({ outcome: 'added', job: { state: 'RUNNING' } });
  expect((await ask('PUT', '/jobs', nightly)).body.outcome).toBe('unchanged');
  expect((await ask('PUT', '/jobs', { ...nightly, priority: 1 })).body.outcome).toBe('updated');
  expect(await ask('PUT', '/jobs', { ...nightly, key: undefined })).toMatchObject({ status: 400 });
});

test('POST /jobs/sync declares a list; a key of another namespace is a 409', async () => {
  await using started = await stage();
  const { ask } = started;
  const synced = await ask('POST', '/jobs/sync', { jobs: [nightly], namespace: 'a', removeOthers: true });
  expect(synced.status).toBe(200);
  expect(answerSchemas.synced.parse(synced.body)).toEqual({
    added: ['nightly'],
    updated: [],
    unchanged: [],
    removed: [],
  });
  const taken = await ask('POST', '/jobs/sync', { jobs: [nightly], namespace: 'b' });
  expect(taken).toMatchObject({ status: 409, body: { error: { code: 'key-taken' } } });
});

test('paths of jobs take a key, percent-encoded; digits are an id', async () => {
  await using started = await stage();
  const { ask } = started;
  await ask('PUT', '/jobs', { ...nightly, key: 'a/b ä' });
  const path = `/jobs/${encodeURIComponent('a/b ä')}`;
  expect((await ask('GET', path)).body).toMatchObject({ id: 1, key: 'a/b ä' });
  expect((await ask('GET', '/jobs/1')).body).toMatchObject({ key: 'a/b ä' });
  expect((await ask('PATCH', path, { priority: 4 })).body).toMatchObject({ priority: 4 });
  expect((await ask('POST', `${path}/stop`)).body).toMatchObject({ state: 'STOPPED' });
  expect((await ask('POST', `${path}/trigger`, {})).status).toBe(202);
  expect((await ask('GET', `/runs?jobId=${encodeURIComponent('a/b ä')}`)).body.runs).toHaveLength(1);
  expect((await ask('GET', '/runs?jobId=1')).body.runs).toHaveLength(1);
  expect(await ask('GET', '/jobs/nobody')).toMatchObject({ status: 404, body: { error: { code: 'unknown-job' } } });
  expect((await ask('DELETE', path)).status).toBe(204);
});

test('groups are put, listed, paused, resumed and removed over HTTP: 404 unknown, 409 in use', async () => {
  await using started = await stage();
  const { ask } = started;
  const group = { name: 'a b', title: 'A', addresses: [], maxRunning: 2, rate: null, alerts: [] };
  expect(await ask('PUT', '/groups', group)).toEqual({ status: 200, body: { ...group, paused: false } });
  expect((await ask('POST', '/groups/a%20b/pause')).body).toEqual({ ...group, paused: true });
  expect((await ask('POST', '/groups/a%20b/resume')).body).toEqual({ ...group, paused: false });
  expect(answerSchemas.groups.parse((await ask('GET', '/groups')).body).groups).toHaveLength(1);
  expect(await ask('POST', '/groups/nobody/resume')).toMatchObject({ status: 404 });
  await ask('PUT', '/jobs', { ...nightly, executorGroup: 'a b' });
  expect(await ask('DELETE', '/groups/a%20b')).toMatchObject({
    status: 409,
    body: { error: { code: 'group-in-use' } },
  });
  await ask('DELETE', '/jobs/nightly');
  expect((await ask('DELETE', '/groups/a%20b')).status).toBe(204);
  expect(await ask('DELETE', '/groups/a%20b')).toMatchObject({ status: 404 });
  expect(await ask('PUT', '/groups', { name: 'x', maxRunning: 0 })).toMatchObject({ status: 400 });
});

test('calendars are put, read, listed and removed over HTTP: 404 unknown, 409 in use', async () => {
  await using started = await stage();
  const { ask } = started;
  const calendar = { name: 'holidays', dates: ['12-25'] };
  expect(await ask('PUT', '/calendars', calendar)).toEqual({ status: 200, body: calendar });
  expect((await ask('GET', '/calendars/holidays')).body).toEqual(calendar);
  expect((await ask('GET', '/calendars')).body).toEqual({ calendars: [calendar] });
  expect(await ask('GET', '/calendars/nobody')).toMatchObject({ status: 404 });
  expect(await ask('PUT', '/calendars', { name: 'x', dates: ['12-32'] })).toMatchObject({
    status: 400,
    body: { error: { code: 'bad-calendar' } },
  });
  await ask('PUT', '/jobs', { ...nightly, except: ['holidays'] });
  expect(await ask('DELETE', '/calendars/holidays')).toMatchObject({ status: 409 });
  await ask('DELETE', '/jobs/nightly');
  expect((await ask('DELETE', '/calendars/holidays')).status).toBe(204);
  expect(await ask('DELETE', '/calendars/holidays')).toMatchObject({ status: 404 });
});
