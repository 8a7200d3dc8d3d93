import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { consoleStage, userWith } from './stage.js';

test('two nodes behind one address: a session, a token and a right of one count at the other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'ring.db')}`;
  const one = await consoleStage({ database });
  const two = await consoleStage({ database });
  // Each has printed an address of its own; whichever is used first, the other is over.
  const admin = await one.firstAdmin();
  const late = { invitation: await two.invitation(), name: 'eve', password: 'long enough too' };
  expect((await two.anybody.ask('POST', '/console/first-admin', late)).status).toBe(403);

  const headers = { cookie: admin.cookie, 'x-csrf-token': admin.csrf };
  const job = { name: 'made at two', handler: 'echo', schedule: { kind: 'none' } };
  expect((await two.anybody.ask('POST', '/admin/jobs', job, headers)).status).toBe(201);
  expect((await admin.ask('GET', '/admin/jobs')).body.jobs).toMatchObject([{ name: 'made at two' }]);
  expect((await admin.ask('GET', '/console/audit?jobId=1')).body.entries).toMatchObject([{ who: 'ada', status: 201 }]);

  const sam = await userWith(one, admin, { name: 'sam', role: 'operator' });
  await two.anybody.ask('DELETE', '/console/users/sam', undefined, headers);
  expect((await sam.ask('GET', '/admin/jobs')).status).toBe(401);
});
