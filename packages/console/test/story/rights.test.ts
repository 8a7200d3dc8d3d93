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

describe('a role in one group, over every operation of the OpenAPI document', () => {
  const HIDDEN = 'hidden-from-blue';

  /** A ring with one of everything in a group that the caller does not have. */
  async function stageWithHidden() {
    const stage = await consoleStage({ channels: { ops: { kind: 'function', send() {} } } });
    const admin = await stage.firstAdmin();
    const job = await stage.ring.jobs.add({
      ...{ key: HIDDEN, name: HIDDEN, handler: HIDDEN, schedule: { kind: 'none' }, executorGroup: HIDDEN },
      alerts: [{ on: 'fire-failed', channel: 'ops' }],
    });
    await stage.ring.groups.put({ name: HIDDEN, title: HIDDEN });
    const own = await addJob(stage.ring, 'own', 'blue');
    const run = await stage.ring.jobs.trigger(job.id);
    const steps = { a: { job: own.id }, b: { job: job.id, after: ['a'] } };
    const flow = await stage.ring.flows.start({ name: HIDDEN, steps });
    const named = (path: string) => {
      const id = path.startsWith('/admin/flows') ? flow.id : path.startsWith('/admin/runs') ? run.id : job.id;
      return path.replace('{id}', String(id)).replace('{name}', HIDDEN);
    };
    return { stage, admin, job, flow, named };
  }

  /** What a body needs to be about the hidden things. */
  const bodies: Readonly<Record<string, unknown>> = {
    'POST /admin/jobs': { name: 'n', handler: 'h', schedule: { kind: 'none' }, executorGroup: HIDDEN },
    'PUT /admin/jobs': { key: HIDDEN, name: 'n', handler: 'h', schedule: { kind: 'none' }, executorGroup: 'blue' },
    'PUT /admin/groups': { name: HIDDEN, title: 't' },
    'POST /admin/flows': { name: 'f', steps: { a: { job: HIDDEN } } },
  };

  test('a reading route says nothing of another group, whatever it is asked', async () => {
    const { stage, admin, job, named } = await stageWithHidden();
    const limited = await userWith(stage, admin, { name: 'sam', role: 'admin', groups: ['blue'] });
    const reading = (await operations(admin)).filter(
      ({ method, path }) => method === 'GET' && path !== '/admin/events',
    );
    const queries: Readonly<Record<string, string>> = {
      '/admin/report': `?from=0&to=86400000&groups=${encodeURIComponent(JSON.stringify([HIDDEN]))}`,
      '/admin/recent-runs': `?jobIds=${job.id}&groups=${encodeURIComponent(JSON.stringify([HIDDEN]))}`,
      '/admin/flows': `?groups=${encodeURIComponent(JSON.stringify(['blue', HIDDEN]))}`,
      '/admin/schedule': '?schedule=%7B%22kind%22%3A%22none%22%7D',
    };
    for (const { path } of reading) {
      const { status, body } = await limited.ask('GET', `${named(path)}${queries[path] ?? ''}`);
      // A refusal may repeat what it was asked for.
      const said = status < 400 ? JSON.stringify(body) : '';
      expect({ path, status, isHidden: !said.includes(HIDDEN) }).toEqual({
        ...{ path, isHidden: true, status: expect.toBeOneOf([200, 400, 403, 404, 503]) },
      });
      if (path.includes('{')) expect({ path, status }).not.toEqual({ path, status: 200 });
    }
    const { jobs } = (await limited.ask('GET', `/admin/recent-runs?jobIds=${job.id}`)).body;
    expect(jobs).toEqual([]);
  });

  test('a changing route changes nothing of another group', async () => {
    const { stage, admin, job, flow, named } = await stageWithHidden();
    const limited = await userWith(stage, admin, { name: 'sam', role: 'admin', groups: ['blue'] });
    const before = JSON.stringify([await stage.ring.jobs.get(job.id), await stage.ring.groups.list()]);
    const changing = (await operations(admin)).filter(({ method }) => method !== 'GET');
    for (const { method, path } of changing) {
      const { status } = await limited.ask(method, named(path), bodies[`${method} ${path}`] ?? {});
      expect({ method, path, status }).toEqual({ method, path, status: expect.toBeOneOf([400, 403, 404]) });
    }
    expect(JSON.stringify([await stage.ring.jobs.get(job.id), await stage.ring.groups.list()])).toBe(before);
    expect((await stage.ring.flows.get(flow.id))!.state).toBe('running');
    expect((await stage.ring.flows.list()).flows.length).toBe(1);
    expect((await stage.ring.runs.list()).runs.map(({ state }) => state)).not.toContain('killed');
  });
});

describe('flows of a role in some groups', () => {
  async function flowStage() {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    for (const group of ['blue', 'red'])
      await stage.ring.jobs.add({
        ...{ key: group, name: group, handler: 'echo', schedule: { kind: 'none' }, executorGroup: group },
      });
    const operator = await userWith(stage, admin, { name: 'oscar', role: 'operator', groups: ['blue'] });
    return { stage, admin, operator };
  }

  test('it sees, starts and cancels those whose jobs are all in its groups, and the audit log says so', async () => {
    const { stage, admin, operator } = await flowStage();
    const start = (steps: object) => operator.ask('POST', '/admin/flows', { name: 'f', steps });
    const begun = await start({ a: { job: 'blue' }, b: { job: 'blue', after: ['a'] } });
    expect(begun.status).toBe(201);
    const mixed = await stage.ring.flows.start({ name: 'm', steps: { a: { job: 'blue' }, b: { job: 'red' } } });
    const listed = (await operator.ask('GET', '/admin/flows')).body.flows as { id: number }[];
    expect(listed.map(({ id }) => id)).toEqual([begun.body.id]);
    expect((await operator.ask('GET', `/admin/flows/${begun.body.id}/graph`)).body.steps).toHaveLength(2);
    expect((await operator.ask('POST', `/admin/flows/${begun.body.id}/cancel`, {})).body).toEqual({ cancelled: true });
    for (const rest of ['', '/graph'])
      expect((await operator.ask('GET', `/admin/flows/${mixed.id}${rest}`)).status).toBe(404);
    expect((await operator.ask('POST', `/admin/flows/${mixed.id}/cancel`, {})).status).toBe(404);
    const refused = await start({ a: { job: 'blue' }, b: { job: 'red', after: ['a'] } });
    expect(refused).toMatchObject({ status: 404, body: { error: { issues: [{ path: 'steps.b.job' }] } } });
    // A query of its own does not widen what it may.
    const wide = await operator.ask('POST', '/admin/flows?groups=["blue","red"]', {
      ...{ name: 'f', steps: { a: { job: 'red' } } },
    });
    expect(wide.status).toBe(404);
    const { entries } = (await admin.ask('GET', '/console/audit?who=oscar')).body;
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'POST /admin/flows', target: `flow ${begun.body.id}`, status: 201 }),
        expect.objectContaining({
          ...{ action: 'POST /admin/flows/{id}/cancel', target: `flow ${begun.body.id}`, status: 200 },
          before: { id: begun.body.id, name: 'f', state: 'running' },
        }),
        expect.objectContaining({ action: 'POST /admin/flows/{id}/cancel', status: 404 }),
      ]),
    );
  });

  test('a viewer of the groups sees a flow and neither starts nor cancels one', async () => {
    const { stage, admin } = await flowStage();
    const viewer = await userWith(stage, admin, { name: 'vera', role: 'viewer', groups: ['blue'] });
    const flow = await stage.ring.flows.start({ name: 'f', steps: { a: { job: 'blue' } } });
    expect((await viewer.ask('GET', `/admin/flows/${flow.id}`)).status).toBe(200);
    expect((await viewer.ask('POST', '/admin/flows', { name: 'f', steps: { a: { job: 'blue' } } })).status).toBe(403);
    expect((await viewer.ask('POST', `/admin/flows/${flow.id}/cancel`, {})).status).toBe(403);
  });

  test('a step is tried again only by who reaches every job of its flow: what comes after it starts too', async () => {
    const { stage, admin, operator } = await flowStage();
    const job = (key: string, handler: string) =>
      stage.ring.jobs.add({ key, name: key, handler, schedule: { kind: 'none' }, executorGroup: 'blue', waitMs: 0 });
    await job('lost', 'nobody has it');
    const failed = async (steps: Parameters<typeof stage.ring.flows.start>[0]['steps']) => {
      const { id } = await stage.ring.flows.start({ name: 'f', steps });
      return (await stage.ring.flows.wait(id)).steps.a!.runId!;
    };
    const own = await failed({ a: { job: 'lost' }, b: { job: 'blue', after: ['a'] } });
    const mixed = await failed({ a: { job: 'lost' }, b: { job: 'red', after: ['a'] } });
    expect((await operator.ask('POST', `/admin/runs/${mixed}/retry`, {})).status).toBe(403);
    expect((await operator.ask('POST', `/admin/runs/${own}/retry`, {})).status).toBe(202);
    expect((await admin.ask('POST', `/admin/runs/${mixed}/retry`, {})).status).toBe(202);
  });
});
