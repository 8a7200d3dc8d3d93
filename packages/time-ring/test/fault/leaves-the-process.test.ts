import { describe, expect, test } from 'vitest';
import { faultDatabases } from '../support/fault-databases.js';
import { clock, startNodeProcess } from '../support/node-process.js';

/** What a busy machine needs to end a process that has nothing left to do. */
const TOLERANCE_MS = 1_500;

describe.each(faultDatabases)('on $name', ({ open }) => {
  test.for(['lock-row', 'buckets'])(
    '%s: after stop() nothing of a ring keeps its process alive',
    async (claim, context) => {
      const database = await open();
      if (database === 'unavailable') return context.skip('MariaDB is not installed here');
      const node = startNodeProcess({ database, claim, nodeId: 'only' }, 'start-and-stop.mjs');
      const exited = new Promise<number | null>((resolve) => node.child.once('exit', resolve));
      const { tookMs, heardMs } = await node.until(({ event }) => event === 'stopped');
      expect(await exited).toBe(0);
      const lingeredMs = clock.monotonicMs() - heardMs!;
      console.info(`stopped in ${Math.round(tookMs!)} ms, gone ${Math.round(lingeredMs)} ms later`);
      expect(lingeredMs).toBeLessThan(TOLERANCE_MS);
    },
  );
});
