import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock, startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLoginLimits } from '../../src/accounts/login-limits.js';
import { openAccounts } from '../../src/accounts/open-accounts.js';

type Server = Exclude<Awaited<ReturnType<typeof startTestPostgres>>, 'unavailable'>;

describe.each([
  { name: 'SQLite', start: async () => ({ freshDatabase: async () => 'sqlite::memory:', stop: async () => {} }) },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
])('on $name', ({ name, start }) => {
  let server: Pick<Server, 'freshDatabase' | 'stop'> | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  test('users, sessions, tokens, invitations and the audit log are kept', async ({ skip }) => {
    if (server === 'unavailable')
      return skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    await using database = await openDatabase(await server.freshDatabase());
    const { users, sessions, tokens, audit, settings, signingKey } = await openAccounts(database);
    expect((await openAccounts(database)).signingKey).toBe(signingKey);

    const invitation = await settings.invite();
    expect([await settings.isInvitation(invitation), await settings.isInvitation('other')]).toEqual([true, false]);
    const ada = { name: 'ada', password: 'hash', role: 'admin', groups: null } as const;
    const both = await Promise.all([users.add(ada, 1, true), users.add({ ...ada, name: 'eve' }, 1, true)]);
    expect(both.sort()).toEqual(['added', 'taken']);
    await settings.endInvitations();
    expect(await settings.isInvitation(invitation)).toBe(false);
    const [first] = await users.list();
    expect(await users.add({ ...first!, role: 'viewer' }, 2)).toBe('taken');
    expect(await users.remove(first!.name)).toBe('last-admin');
    expect(await users.change(first!.name, { groups: ['a'] })).toBe('last-admin');
    expect(await users.change(first!.name, { isDisabled: true })).toBe('last-admin');
    await users.add({ name: '李雷', password: 'x', role: 'editor', groups: ['a', 'b,"c"'] }, 3);
    expect(await users.find('李雷')).toMatchObject({
      role: 'editor',
      groups: ['a', 'b,"c"'],
      isDisabled: false,
      createdAt: 3,
    });

    const at = 1_000_000_000;
    const secret = await sessions.begin('李雷', at);
    expect(await sessions.find(secret, at + 60_001)).toMatchObject({ userName: '李雷' });
    expect(await sessions.find(`${secret}x`, at)).toBeNull();
    expect(await sessions.find(secret, at + 13 * 3_600_000)).toBeNull();
    expect(await sessions.find(secret, at)).toBeNull();
    const another = await sessions.begin('李雷', at);
    await users.change('李雷', { password: 'y' });
    expect(await sessions.find(another, at)).toBeNull();

    const made = await tokens.add({ name: 'ci', role: 'operator', groups: ['a'], createdBy: 'ada' }, at);
    expect(made.secret).toMatch(/^horae_/);
    expect(JSON.stringify(await tokens.list())).not.toContain(made.secret);
    expect(await tokens.find(made.secret, at)).toMatchObject({ name: 'ci', role: 'operator', groups: ['a'] });
    await tokens.revoke(made.token.id, at + 1);
    expect(await tokens.find(made.secret, at + 2)).toBeNull();
    expect(await tokens.get(made.token.id)).toMatchObject({ revokedAt: at + 1, lastUsedAt: at });

    for (let i = 1; i <= 3; i++)
      await audit.add({
        ...{ at: i, who: 'ada', via: 'session', from: '::1', action: 'POST /x', status: 200 },
        ...{ target: i === 2 ? 'job 2' : 'job 1', before: { i }, after: i === 3 ? 'x'.repeat(40_000) : null },
      });
    const page = await audit.list({ limit: 2 });
    expect(page.entries.map(({ at: when }) => when)).toEqual([3, 2]);
    expect(page.entries[0]!.after).toEqual({ tooLarge: 40_002 });
    expect((await audit.list({ limit: 2, before: Number(page.cursor) })).entries).toMatchObject([
      { at: 1, before: { i: 1 } },
    ]);
    expect((await audit.list({ limit: 9, target: 'job 2' })).entries.length).toBe(1);
  });
});

test('eight failures close the door for a quarter of an hour, a success opens it', async () => {
  const clock = createManualClock({ now: 0 });
  const limits = createLoginLimits(clock);
  for (let i = 0; i < 7; i++) limits.failed(['name ada']);
  expect(limits.waitMs(['name ada', 'from ::1'])).toBe(0);
  limits.failed(['name ada']);
  expect(limits.waitMs(['name ada', 'from ::1'])).toBe(900_000);
  expect(limits.waitMs(['name eve'])).toBe(0);
  await clock.advanceBy(900_000);
  expect(limits.waitMs(['name ada'])).toBe(0);
  for (let i = 0; i < 8; i++) limits.failed(['name ada']);
  limits.succeeded(['name ada']);
  expect(limits.waitMs(['name ada'])).toBe(0);
});
