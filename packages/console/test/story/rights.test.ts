import { describe, expect, test } from 'vitest';
import { addJob, type Client, consoleStage, PASSWORD, userWith } from './stage.js';

/** Every operation of the OpenAPI document, so that no new route is forgotten. */
async function operations(client: Client): Promise<{ method: string; path: string }[]> {
  const { body } = await client.ask('GET', '/admin/openapi.json');
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

const concrete = (path: string) => path.replace('{id}', '1').replace('{name}', 'default');

describe('a viewer', () => {
  test('gets 403 for every changing route of the OpenAPI document, by session and by token', async () => {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    await addJob(stage.ring, 'kept');
    const viewer = await userWith(stage, admin, { name: 'vera', role: 'viewer' });
    const { secret } = (await admin.ask('POST', '/console/tokens', { name: 'watch', role: 'viewer' })).body;
    const changing = (await operations(viewer)).filter(({ method }) => method !== 'GET');
    expect(changing.length).toBeGreaterThan(8);
    for (const { method, path } of changing) {
      const bySession = await viewer.ask(method, concrete(path), {});
      const byToken = await stage.anybody.ask(method, concrete(path), {}, { authorization: `Bearer ${secret}` });
      expect({ method, path, statuses: [bySession.status, byToken.status] }).toEqual({
        method,
        path,
        statuses: [403, 403],
      });
    }
    expect((await stage.ring.jobs.list()).jobs).toMatchObject([{ name: 'kept', state: 'STOPPED' }]);
    for (const [method, path] of [
      ['GET', '/console/users'],
      ['POST', '/console/users'],
      ['PATCH', '/console/users/ada'],
      ['DELETE', '/console/users/ada'],
      ['GET', '/console/tokens'],
      ['POST', '/console/tokens'],
      ['DELETE', '/console/tokens/x'],
      ['GET', '/console/audit'],
    ] as const)
      expect({ path, status: (await viewer.ask(method, path, method === 'GET' ? undefined : {})).status }).toEqual({
        path,
        status: 403,
      });
  });

  test('reads every reading route', async () => {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    const viewer = await userWith(stage, admin, { name: 'vera', role: 'viewer' });
    const reading = (await operations(viewer)).filter(
      ({ method, path }) => method === 'GET' && path !== '/admin/events',
    );
    for (const { path } of reading)
      expect({ path, status: (await viewer.ask('GET', concrete(path))).status }).not.toMatchObject({ status: 403 });
  });
});

test('nobody without a session or a token gets anything, whatever the route', async () => {
  const stage = await consoleStage();
  const admin = await stage.firstAdmin();
  for (const { method, path } of await operations(admin))
    expect((await stage.anybody.ask(method, concrete(path), method === 'GET' ? undefined : {})).status).toBe(401);
  const executorsToken = await stage.anybody.ask('GET', '/admin/jobs', undefined, {
    authorization: 'Bearer the-executors-token',
  });
  expect(executorsToken.status).toBe(401);
});

test.each([
  { role: 'operator', may: ['start'], mayNot: ['edit', 'remove', 'users'] },
  { role: 'editor', may: ['start', 'edit', 'remove'], mayNot: ['users'] },
  { role: 'admin', may: ['start', 'edit', 'remove', 'users'], mayNot: [] },
])('a $role may $may and not $mayNot', async ({ role, may, mayNot }) => {
  const stage = await consoleStage();
  const somebody = await userWith(stage, await stage.firstAdmin(), { name: 'sam', role });
  const { id } = await stage.ring.jobs.add({
    name: 'a',
    handler: 'echo',
    schedule: { kind: 'fix-rate', everyMs: 3_600_000 },
  });
  const actions: Record<string, () => Promise<{ status: number }>> = {
    start: () => somebody.ask('POST', `/admin/jobs/${id}/start`, {}),
    edit: () => somebody.ask('PATCH', `/admin/jobs/${id}`, { retries: 2 }),
    users: () => somebody.ask('POST', '/console/users', { name: 'new', password: PASSWORD, role: 'viewer' }),
    remove: () => somebody.ask('DELETE', `/admin/jobs/${id}`),
  };
  for (const action of may)
    expect({ action, status: (await actions[action]!()).status }).toMatchObject({
      status: expect.toBeOneOf([200, 201, 204]),
    });
  for (const action of mayNot)
    expect({ action, status: (await actions[action]!()).status }).toEqual({ action, status: 403 });
});

test('a role in some groups sees and changes nothing of the others', async () => {
  const stage = await consoleStage();
  const admin = await stage.firstAdmin();
  const mine = await addJob(stage.ring, 'mine', 'blue');
  const other = await addJob(stage.ring, 'other', 'red');
  const run = await stage.ring.jobs.trigger(other.id);
  const own = await stage.ring.jobs.trigger(mine.id);
  for (const groups of [['blue'], ['blue', 'green']]) {
    const name = `e${groups.length}`;
    const editor = await userWith(stage, admin, { name, role: 'editor', groups });
    const status = async (...words: Parameters<Client['ask']>) => (await editor.ask(...words)).status;
    const names = async (path: string, list: string) =>
      (await editor.ask('GET', path)).body[list].map((entry: { name?: string; id: number }) => entry.name ?? entry.id);
    expect(await names('/admin/jobs', 'jobs')).toEqual(['mine']);
    expect(await names('/admin/jobs?executorGroup=red', 'jobs')).toEqual([]);
    expect(await names('/admin/runs', 'runs')).toEqual([own.id]);
    expect((await editor.ask('GET', '/admin/executors')).body.executors).toEqual([]);
    expect(await status('GET', `/admin/jobs/${other.id}`)).toBe(404);
    expect(await status('PATCH', `/admin/jobs/${other.id}`, { retries: 1 })).toBe(404);
    expect(await status('POST', `/admin/jobs/${other.id}/trigger`, {})).toBe(404);
    expect(await status('GET', `/admin/runs/${run.id}`)).toBe(404);
    expect(await status('GET', `/admin/runs/${run.id}/log`)).toBe(404);
    expect(await status('POST', `/admin/runs/${run.id}/kill`, {})).toBe(404);
    expect(await status('PATCH', `/admin/jobs/${mine.id}`, { executorGroup: 'red' })).toBe(403);
    expect(await status('PATCH', `/admin/jobs/${mine.id}`, { children: [other.id] })).toBe(404);
    const job = { name: 'n', handler: 'echo', schedule: { kind: 'none' } };
    expect(await status('POST', '/admin/jobs', job)).toBe(403);
    expect(await status('POST', '/admin/jobs', { ...job, executorGroup: 'red' })).toBe(403);
    expect(await status('POST', '/admin/jobs', { ...job, name, executorGroup: 'blue' })).toBe(201);
    expect(await status('POST', '/admin/import', { text: '[]' })).toBe(403);
    expect(await status('GET', '/admin/metrics')).toBe(403);
    expect(await status('GET', `/console/audit?jobId=${other.id}`)).toBe(404);
    const made = await editor.ask('GET', '/admin/jobs');
    await stage.ring.jobs.remove(made.body.jobs.at(-1).id);
  }
});

test('what became of alerts about other groups, and about the ring, is not shown', async () => {
  const stage = await consoleStage({ channels: { ops: { kind: 'function', send() {} } } });
  const admin = await stage.firstAdmin();
  const alerts = [{ on: 'fire-failed', channel: 'ops' }] as const;
  for (const executorGroup of ['default', 'red']) {
    const job = { name: executorGroup, handler: 'echo', schedule: { kind: 'none' }, waitMs: 0, alerts } as const;
    const { id } = await stage.ring.jobs.add({ ...job, executorGroup, params: executorGroup });
    await stage.ring.jobs.update(id, { executorGroup: 'nobody' });
    await stage.ring.runs.wait((await stage.ring.jobs.trigger(id)).id);
    await stage.ring.jobs.update(id, { executorGroup });
  }
  const viewer = await userWith(stage, admin, { name: 'vera', role: 'viewer', groups: ['red'] });
  const names = async (client: Client) => {
    const { body } = await client.ask('GET', '/admin/alerts/deliveries');
    return body.deliveries.map(({ message }: { message: { job: { name: string } } }) => message.job.name).sort();
  };
  expect(await names(admin)).toEqual(['default', 'red']);
  expect(await names(viewer)).toEqual(['red']);
  const editor = await userWith(stage, admin, { name: 'ed', role: 'editor', groups: ['red'] });
  expect((await editor.ask('PUT', '/admin/groups/red/alerts', { alerts })).status).toBe(200);
  expect((await editor.ask('PUT', '/admin/groups/default/alerts', { alerts })).status).toBe(404);
  expect((await editor.ask('POST', '/admin/alerts/test', { channel: 'ops' })).status).toBe(403);
});

test('an admin of some groups does not manage users, who could then be admins of all', async () => {
  const stage = await consoleStage();
  const some = await userWith(stage, await stage.firstAdmin(), { name: 'sam', role: 'admin', groups: ['blue'] });
  expect((await some.ask('POST', '/console/users', { name: 'x', password: PASSWORD, role: 'admin' })).status).toBe(403);
});

test('events about other groups are not told', async () => {
  const stage = await consoleStage();
  const viewer = await userWith(stage, await stage.firstAdmin(), { name: 'vera', role: 'viewer', groups: ['blue'] });
  const { cookie } = viewer;
  const response = await stage.panel.fetch(new Request('http://console.example/admin/events', { headers: { cookie } }));
  const reader = response.body!.getReader();
  await reader.read();
  await addJob(stage.ring, 'secret', 'red');
  await addJob(stage.ring, 'shown', 'blue');
  let text = '';
  while (!text.includes('shown')) text += new TextDecoder().decode((await reader.read()).value);
  expect(text).not.toContain('secret');
  await reader.cancel();
});

test('a console that only shows refuses changes of admins', async () => {
  const stage = await consoleStage({ readOnly: true });
  const admin = await stage.firstAdmin();
  expect(await admin.ask('POST', '/admin/jobs', {})).toMatchObject({
    status: 403,
    body: { error: { code: 'read-only' } },
  });
  expect((await admin.ask('POST', '/console/tokens', { name: 'x', role: 'viewer' })).status).toBe(403);
  expect((await admin.ask('GET', '/admin/jobs')).status).toBe(200);
  expect((await admin.ask('DELETE', '/console/session')).status).toBe(204);
});
