import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Daemon, horae, scratchFolder, startDaemon } from '../support/run-horae.js';

interface Place {
  readonly url: string;
  stop(): Promise<void>;
}

const completed = (task: string) => (line: Daemon['lines'][number]) =>
  line.event === 'TaskRunCompleted' && line.task === task;

/** The daemons on a server: `--database` is all that changes. */
function worksOn(name: string, start: () => Promise<Place | 'unavailable'>): void {
  describe(`on ${name}`, () => {
    let place: Place | 'unavailable';
    beforeAll(async () => {
      place = await start();
    });
    afterAll(async () => {
      if (place !== 'unavailable') await place.stop();
    });

    test('tasks run, are inspected, and have one daemon at a time', async ({ skip }) => {
      if (place === 'unavailable')
        return skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
      const folder = scratchFolder();
      writeFileSync(
        join(folder, 'tasks.json'),
        '{"zone":"UTC","tasks":[{"name":"once","cron":"* * * * *","run":"true"}]}',
      );
      const words = ['tasks.json', '--database', place.url];
      const first = startDaemon(['tasks', 'run', ...words], { cwd: folder });
      await first.line(completed('once'));
      await first.line(({ message }) => message === 'running');
      const second = horae(['tasks', 'run', ...words], { cwd: folder });
      expect(second.code).toBe(1);
      expect(second.stderr).toContain('already');
      first.kill('SIGKILL');
      await first.ended;
      const third = startDaemon(['tasks', 'run', ...words], { cwd: folder });
      await third.line(({ message }) => message === 'running');
      third.kill('SIGTERM');
      expect((await third.ended).code).toBe(0);
      const { tasks } = JSON.parse(horae(['tasks', 'inspect', ...words, '--json'], { cwd: folder }).stdout);
      expect(tasks).toMatchObject([{ name: 'once', state: 'AwaitingRun', standing: 'registered' }]);
      const { events } = JSON.parse(horae(['tasks', 'history', ...words, '--json'], { cwd: folder }).stdout);
      expect(events.map(({ event }: { event: string }) => event)).toContain('TaskRunCompleted');
      const ids = events.map(({ id }: { id: number }) => id);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    });

    test('a ring is served, and asked through its database', async ({ skip }) => {
      if (place === 'unavailable')
        return skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
      const folder = scratchFolder();
      const config = {
        claim: 'buckets',
        handlers: { hello: { run: 'echo hello' } },
        jobs: [{ name: 'tick', handler: 'hello', schedule: { kind: 'fix-rate', everyMs: 1000 } }],
      };
      writeFileSync(join(folder, 'ring.json'), JSON.stringify(config));
      const daemon = startDaemon(['ring', 'serve', 'ring.json', '--database', place.url], { cwd: folder });
      await daemon.line(({ event }) => event === 'run-succeeded');
      const { jobs } = JSON.parse(horae(['ring', 'list', '--database', place.url, '--json'], { cwd: folder }).stdout);
      expect(jobs).toMatchObject([{ name: 'tick', state: 'RUNNING' }]);
      daemon.kill('SIGTERM');
      expect((await daemon.ended).code).toBe(0);
    });
  });
}

worksOn('PostgreSQL', () => startTestPostgres());
worksOn('MariaDB', () => startTestMariadb());
