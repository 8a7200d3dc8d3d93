import type { TaskStore } from '../store/task-store.js';
import { leaseCases } from './lease-conformance.js';
import { expectStored, full } from './stored-records.js';

/** One requirement on a store; `run` rejects when it is not met. Bring your own test framework. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

const EMPTY = { remove: [], put: [] };

/**
 * The requirements on every `TaskStore`. `open` returns a store on empty storage each time it is called; `reopen`, where a store can
 * outlive its object, returns another store on the storage of its argument, which is closed by then. Stores with `claim` are also held to
 * the rules of leases.
 */
export function taskStoreConformance(
  open: () => Promise<TaskStore>,
  reopen?: (store: TaskStore) => Promise<TaskStore>,
): readonly ConformanceCase[] {
  const cases = Object.entries({ ...storeCases, ...leaseCases }).map(([name, check]) =>
    conformanceCase(name, open, check),
  );
  if (reopen === undefined) return cases;
  return [...cases, conformanceCase('keeps everything over close and reopen', open, survivesReopening(reopen))];
}

function conformanceCase(name: string, open: () => Promise<TaskStore>, check: (store: TaskStore) => Promise<void>) {
  return {
    name,
    async run() {
      const store = await open();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    },
  };
}

const storeCases: Readonly<Record<string, (store: TaskStore) => Promise<void>>> = {
  'is empty at first': async (store) => expectStored(store, []),
  'gives back every field of a record as it was put': async (store) => {
    const records = [
      full('a'),
      full('b', {
        cron: '* * * * *',
        retryDelayMs: 0.5,
        lastAttemptAt: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        pendingRetryUntil: null,
        attempt: 0,
      }),
      full('c', { runningSchedulerId: 'someone', paused: true }),
    ];
    await store.apply({ ...EMPTY, put: records });
    await expectStored(store, records);
  },
  'replaces a record of the same name, and nothing else': async (store) => {
    await store.apply({ ...EMPTY, put: [full('a'), full('b')] });
    const changed = { ...full('a'), cron: '1 2 3 4 5', lastSuccessAt: null, attempt: 9 };
    await store.save([changed]);
    await expectStored(store, [changed, full('b')]);
  },
  'saves the same record twice without effect': async (store) => {
    await store.save([full('a')]);
    await store.save([full('a')]);
    await expectStored(store, [full('a')]);
  },
  'removes before it puts, in one change': async (store) => {
    await store.apply({ ...EMPTY, put: [full('a'), full('b')] });
    await store.apply({ remove: ['a', 'never there'], put: [full('c')] });
    await expectStored(store, [full('b'), full('c')]);
  },
  'accepts an empty change': async (store) => {
    await store.apply(EMPTY);
    await store.save([]);
    await expectStored(store, []);
  },
  'tells names apart that look alike': async (store) => {
    const names = [
      'a',
      'A',
      'a ',
      ' a',
      'ä',
      'a\u0308',
      'a\u0000',
      '__proto__',
      '😀',
      '\ud800',
      "'; drop table",
      'x'.repeat(500),
    ];
    const records = names.map((name) => full(name));
    await store.apply({ ...EMPTY, put: records });
    await expectStored(store, records);
    await store.apply({ remove: ['A', 'a\u0000', '\ud800'], put: [] });
    await expectStored(
      store,
      records.filter(({ name }) => !['A', 'a\u0000', '\ud800'].includes(name)),
    );
  },
  'takes thousands of records in one change': async (store) => {
    const records = Array.from({ length: 25_000 }, (_, i) => full(`task-${i}`, { lastAttemptAt: i }));
    await store.apply({ ...EMPTY, put: records });
    const removed = records.filter((_, i) => i % 2 === 0).map(({ name }) => name);
    await store.apply({ remove: removed, put: [] });
    await expectStored(
      store,
      records.filter((_, i) => i % 2 === 1),
    );
  },
  'keeps the order of changes that are made at once': async (store) => {
    const changes = Array.from({ length: 20 }, (_, attempt) => store.save([full('a', { attempt })]));
    await Promise.all(changes);
    await expectStored(store, [full('a', { attempt: 19 })]);
  },
  'closes twice and can be loaded again': async (store) => {
    await store.load();
    await store.close();
    await store.close();
    await store.load();
  },
};

function survivesReopening(reopen: (store: TaskStore) => Promise<TaskStore>) {
  return async (store: TaskStore) => {
    await store.apply({ ...EMPTY, put: [full('a'), full('b')] });
    await store.close();
    const again = await reopen(store);
    try {
      await expectStored(again, [full('a'), full('b')]);
    } finally {
      await again.close();
    }
  };
}
