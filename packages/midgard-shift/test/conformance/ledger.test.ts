import { openDatabase } from '@horae/clock-store/storage';
import { test } from 'vitest';
import { createLedger } from '../../src/index.js';
import { chainViewConformance, ledgerConformance } from '../../src/testing/index.js';

const inMemory = ledgerConformance(async (start) => ({ chain: await createLedger(start) }));

const inSql = ledgerConformance(async (start) => {
  const database = await openDatabase('sqlite::memory:');
  return { chain: await createLedger({ ...start, database }), close: () => database.close() };
});

test.each(inMemory)('in memory: $name', ({ run }) => run());
test.each(inSql)('in SQL: $name', ({ run }) => run());

const asView = chainViewConformance(async (start) => ({ chain: await createLedger(start) }));
test.each(asView)('as a chain view: $name', ({ run }) => run());
