import { createManualClock } from 'horae/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/stage/demo-process.js';
import { ringRoutes } from './ring-routes.js';
import { startRingWatch } from './ring-watch.js';

const draft = {
  name: 'mine',
  handler: 'echo',
  params: null,
  misfire: 'FIRE_ONCE_NOW',
  route: 'ROUND',
  block: 'SERIAL',
  retries: 0,
};

test('a job of the page may be written in any dialect, and shows it', async () => {
  const watch = await startRingWatch({
    clock: createManualClock({ now: 0 }),
    databaseUrl: `sqlite:${newDatabase()}`,
    nodeId: 'node',
    note: () => {},
    onChange: () => {},
  });
  onTestFinished(() => watch.stop());
  const routes = ringRoutes(watch).onError((error, context) => context.text(error.message, 400));
  const add = (name: string, expression: string, dialect: string) =>
    routes.request('/jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...draft, name, schedule: { kind: 'cron', expression, dialect } }),
    });
  expect((await add('crontab', '*/5 9-17 * * mon-fri', 'vixie')).status).toBe(200);
  expect((await add('strict', '0 9 * * 1-5', 'posix')).status).toBe(200);
  expect((await add('quartz', '0 0 9 ? * MON', 'quartz')).status).toBe(200);
  expect((await add('wrong', '*/5 * * * *', 'posix')).status).toBe(400);
  expect((await add('unknown', '* * * * *', 'cobol')).status).toBe(400);
  const { jobs } = await watch.snapshot();
  const mine = jobs.filter(({ name }) => ['crontab', 'strict', 'quartz', 'wrong', 'unknown'].includes(name));
  expect(mine.map(({ name, schedule }) => [name, schedule])).toEqual([
    ['crontab', '*/5 9-17 * * mon-fri (vixie)'],
    ['strict', '0 9 * * 1-5 (posix)'],
    ['quartz', '0 0 9 ? * MON'],
  ]);
});
