import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { memoryTaskStore, type TaskStore } from '../../src/index.js';
import { sqlTaskStore } from '../../src/sql.js';
import { taskStoreConformance } from '../../src/testing.js';

interface Place {
  url: string;
  stop(): Promise<void>;
}

describe('in memory', () => {
  test.each(taskStoreConformance(async () => memoryTaskStore()))('a task store $name', ({ run }) => run());
});

/** One server for all cases, a namespace for each; the server is started by the hook, so the cases learn its URL late. */
function conformsTo(name: string, start: () => Promise<Place | 'unavailable'>, query = ''): void {
  describe(`on ${name}`, () => {
    let place: Place | 'unavailable' | undefined;
    let opened = 0;
    const namespaces = new WeakMap<TaskStore, string>();
    const storeIn = async (namespace: string) => {
      const store = sqlTaskStore((place as Place).url + query, { namespace });
      namespaces.set(store, namespace);
      return store;
    };
    beforeAll(async () => {
      place = await start();
    });
    afterAll(async () => {
      if (place !== undefined && place !== 'unavailable') await place.stop();
    });
    const cases = taskStoreConformance(
      () => storeIn(`case-${++opened}`),
      (store) => storeIn(namespaces.get(store)!),
    );
    for (const { name: requirement, run } of cases) {
      test(`a task store ${requirement}`, async (context) => {
        if (place === 'unavailable')
          context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
        await run();
      });
    }
  });
}

conformsTo('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'horae-tasks-'));
  return { url: `sqlite:${join(folder, 'tasks.db')}`, stop: () => rm(folder, { recursive: true, force: true }) };
});
conformsTo('PostgreSQL', startTestPostgres);
conformsTo('PostgreSQL, in a schema and with a prefix', startTestPostgres, '?schema=tasks&tablePrefix=x_');
conformsTo('MariaDB', startTestMariadb);
