import { describe, expect, test } from 'vitest';
import { addJob, consoleStage, PASSWORD, userWith } from './stage.js';

describe('the first admin', () => {
  test('is made once, with the address that was printed, and no other', async () => {
    const stage = await consoleStage({ basePath: '/ops' });
    const wrong = { invitation: 'guess', name: 'eve', password: PASSWORD };
    expect((await stage.anybody.ask('POST', '/console/first-admin', wrong)).status).toBe(403);
    expect((await stage.anybody.ask('GET', '/console/session')).body).toMatchObject({ kind: 'out', hasUsers: false });
    const invitation = await stage.invitation();
    expect(stage.lines.join()).toContain('/ops/#/first-admin?invitation=');
    const ada = await stage.firstAdmin();
    expect((await ada.ask('GET', '/console/session')).body).toMatchObject({
      kind: 'in',
      name: 'ada',
      role: 'admin',
      groups: null,
    });
    const again = await stage.anybody.ask('POST', '/console/first-admin', { ...wrong, invitation });
    expect(again.status).toBe(403);
    expect((await stage.anybody.ask('GET', '/console/session')).body).toMatchObject({ hasUsers: true });
  });

  test('needs a password worth the name', async () => {
    const stage = await consoleStage();
    const body = { invitation: await stage.invitation(), name: 'ada', password: 'short' };
    const { status, body: answer } = await stage.anybody.ask('POST', '/console/first-admin', body);
    expect([status, answer.error.message]).toEqual([400, 'password: must have at least 10 characters']);
  });
});

describe('a session', () => {
  test('is a cookie that no script reads and no other site sends, Secure behind TLS', async () => {
    const stage = await consoleStage({ basePath: '/ops' });
    await stage.firstAdmin();
    const login = { name: 'ADA ', password: PASSWORD };
    const plain = await stage.anybody.ask('POST', '/console/session', login);
    expect(plain.headers.get('set-cookie')).toMatch(
      /^horae_session=[\w-]{43}; Path=\/ops; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    const tls = await stage.anybody.ask('POST', '/console/session', login, { 'x-forwarded-proto': 'https' });
    expect(tls.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('is new with every login: one that was planted before is worth nothing', async () => {
    const stage = await consoleStage();
    await stage.firstAdmin();
    const planted = { cookie: 'horae_session=planted' };
    const answer = await stage.anybody.ask('POST', '/console/session', { name: 'ada', password: PASSWORD }, planted);
    expect(answer.headers.get('set-cookie')).not.toContain('planted');
    expect((await stage.anybody.ask('GET', '/admin/jobs', undefined, planted)).status).toBe(401);
  });

  test('ends with the logout, with another password, and with the user', async () => {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    const one = await userWith(stage, admin, { name: 'one', role: 'viewer' });
    expect((await one.ask('DELETE', '/console/session')).status).toBe(204);
    expect((await one.ask('GET', '/admin/jobs')).status).toBe(401);
    const two = await stage.logIn('one');
    const three = await stage.logIn('one');
    expect((await two.ask('POST', '/console/password', { current: 'wrong', next: `${PASSWORD}2` })).status).toBe(403);
    expect((await two.ask('POST', '/console/password', { current: PASSWORD, next: `${PASSWORD}2` })).status).toBe(200);
    expect((await three.ask('GET', '/admin/jobs')).status).toBe(401);
    const four = await stage.logIn('one', `${PASSWORD}2`);
    await admin.ask('PATCH', '/console/users/one', { isDisabled: true });
    expect((await four.ask('GET', '/admin/jobs')).status).toBe(401);
    expect(
      (await stage.anybody.ask('POST', '/console/session', { name: 'one', password: `${PASSWORD}2` })).status,
    ).toBe(401);
  });

  test('loses a right the moment an admin takes it', async () => {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    const job = await addJob(stage.ring, 'a');
    const sam = await userWith(stage, admin, { name: 'sam', role: 'operator' });
    expect((await sam.ask('POST', `/admin/jobs/${job.id}/trigger`, {})).status).toBe(202);
    await admin.ask('PATCH', '/console/users/sam', { role: 'viewer' });
    expect((await sam.ask('POST', `/admin/jobs/${job.id}/trigger`, {})).status).toBe(403);
  });

  test('changes nothing without its CSRF token, with another session’s, or for another site', async () => {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    const other = await stage.logIn('ada');
    const job = { name: 'a', handler: 'echo', schedule: { kind: 'none' } };
    const wrong: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrf },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of wrong) expect((await admin.ask('POST', '/admin/jobs', job, headers)).status).toBe(403);
    expect((await admin.ask('POST', '/admin/jobs', job)).status).toBe(201);
    const form = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' };
    expect(
      (await stage.anybody.ask('POST', '/console/session', { name: 'ada', password: PASSWORD }, form)).status,
    ).toBe(403);
  });
});

test('logins are limited, whether the name exists or not', async () => {
  const stage = await consoleStage();
  await stage.firstAdmin();
  for (const name of ['ada', 'nobody']) {
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++)
      statuses.push((await stage.anybody.ask('POST', '/console/session', { name, password: 'wrong' })).status);
    expect(statuses.at(-1)).toBe(429);
  }
  const right = await stage.anybody.ask('POST', '/console/session', { name: 'ada', password: PASSWORD });
  expect([right.status, Number(right.headers.get('retry-after')) > 60]).toEqual([429, true]);
});

describe('a token', () => {
  test('is shown once, carries its own rights, needs no CSRF token, and can be revoked', async () => {
    const stage = await consoleStage();
    const admin = await stage.firstAdmin();
    const made = await admin.ask('POST', '/console/tokens', { name: 'ci', role: 'operator', groups: ['blue'] });
    expect(made).toMatchObject({ status: 201, body: { name: 'ci', secret: expect.stringMatching(/^horae_/) } });
    expect(JSON.stringify((await admin.ask('GET', '/console/tokens')).body)).not.toContain(made.body.secret);
    const job = await addJob(stage.ring, 'a', 'blue');
    const bearer = { authorization: `Bearer ${made.body.secret}` };
    expect((await stage.anybody.ask('POST', `/admin/jobs/${job.id}/trigger`, {}, bearer)).status).toBe(202);
    expect((await stage.anybody.ask('PATCH', `/admin/jobs/${job.id}`, {}, bearer)).status).toBe(403);
    const { entries } = (await admin.ask('GET', '/console/audit')).body;
    expect(entries[1]).toMatchObject({
      who: 'token ci',
      via: 'token',
      action: 'POST /admin/jobs/{id}/trigger',
      status: 202,
    });
    expect((await admin.ask('DELETE', `/console/tokens/${made.body.id}`)).status).toBe(200);
    expect((await stage.anybody.ask('GET', '/admin/jobs', undefined, bearer)).status).toBe(401);
  });
});

test('the audit log has who, when, from where, before and after; the history of a job is for all who see it', async () => {
  const stage = await consoleStage();
  const admin = await stage.firstAdmin();
  const sam = await userWith(stage, admin, { name: 'sam', role: 'editor' });
  const job = { name: 'a', handler: 'echo', schedule: { kind: 'none' } };
  const { id } = (await sam.ask('POST', '/admin/jobs', job)).body;
  await sam.ask('PATCH', `/admin/jobs/${id}`, { retries: 3 });
  await sam.ask('PATCH', `/admin/jobs/${id}`, { retries: -3 });
  await sam.ask('DELETE', `/admin/jobs/${id}`);
  const { entries } = (await admin.ask('GET', `/console/audit?limit=4`)).body;
  expect(entries).toMatchObject([
    {
      who: 'sam',
      via: 'session',
      action: 'DELETE /admin/jobs/{id}',
      target: `job ${id}`,
      status: 204,
      before: { retries: 3 },
      after: null,
    },
    { action: 'PATCH /admin/jobs/{id}', status: 400 },
    {
      action: 'PATCH /admin/jobs/{id}',
      status: 200,
      before: { retries: 0 },
      after: { retries: 3 },
      at: expect.any(Number),
    },
    { action: 'POST /admin/jobs', target: `job ${id}`, status: 201, before: null, after: { name: 'a' } },
  ]);
  expect((await sam.ask('GET', `/console/audit?jobId=${id}`)).body.entries.length).toBe(4);
  const everything = JSON.stringify((await admin.ask('GET', '/console/audit')).body);
  expect(everything).not.toContain(PASSWORD);
  expect(everything).not.toContain('scrypt');
});

test('a declaration, a group and a calendar have their state before in the audit log too', async () => {
  const stage = await consoleStage();
  const admin = await stage.firstAdmin();
  const job = { key: 'k', name: 'a', handler: 'echo', schedule: { kind: 'none' } };
  for (const retries of [1, 2]) expect((await admin.ask('PUT', '/admin/jobs', { ...job, retries })).status).toBe(200);
  for (const title of ['one', 'two']) await admin.ask('PUT', '/admin/groups', { name: 'g', title });
  for (const day of [0, 6]) await admin.ask('PUT', '/admin/calendars', { name: 'c', weekdays: [day] });
  const { entries } = (await admin.ask('GET', '/console/audit?limit=6')).body;
  expect(entries).toMatchObject([
    { target: 'calendar c', before: { weekdays: [0] }, after: { weekdays: [6] } },
    { target: 'calendar c', before: null },
    { target: 'group g', before: { title: 'one' }, after: { title: 'two' } },
    { target: 'group g', before: null },
    { target: 'job 1', before: { retries: 1 }, after: { outcome: 'updated', job: { retries: 2 } } },
    { target: 'job 1', before: null, after: { outcome: 'added' } },
  ]);
});

describe('behind a proxy that knows who people are', () => {
  const auth = {
    kind: 'header',
    header: 'x-user',
    proxies: 'any',
    roleHeader: 'x-role',
    groupsHeader: 'x-groups',
  } as const;

  test('name, role and groups come from its headers; a change still needs the CSRF token', async () => {
    const stage = await consoleStage({ auth });
    const headers = { 'x-user': 'grace', 'x-role': 'editor', 'x-groups': 'blue, green' };
    const session = await stage.anybody.ask('GET', '/console/session', undefined, headers);
    expect(session.body).toMatchObject({
      kind: 'in',
      name: 'grace',
      role: 'editor',
      groups: ['blue', 'green'],
      canLogOut: false,
    });
    const job = { name: 'a', handler: 'echo', schedule: { kind: 'none' }, executorGroup: 'blue' };
    expect((await stage.anybody.ask('POST', '/admin/jobs', job, headers)).status).toBe(403);
    const change = { ...headers, 'x-csrf-token': session.body.csrf };
    expect((await stage.anybody.ask('POST', '/admin/jobs', job, change)).status).toBe(201);
    expect((await stage.anybody.ask('GET', '/admin/jobs')).status).toBe(401);
    expect((await stage.anybody.ask('POST', '/console/session', { name: 'a', password: 'b' })).status).toBe(404);
  });

  test('from anywhere else the header counts for nothing', async () => {
    const stage = await consoleStage({ auth: { ...auth, proxies: ['10.0.0.5'] } });
    expect((await stage.anybody.ask('GET', '/admin/jobs', undefined, { 'x-user': 'grace' })).status).toBe(401);
  });
});
