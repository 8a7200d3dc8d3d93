import { batchCases } from './conformance-batches.js';
import { jobCases } from './conformance-jobs.js';
import { nodeCases } from './conformance-nodes.js';
import { raceCases } from './conformance-races.js';
import { runChangeCases } from './conformance-run-changes.js';
import { runHoldCases } from './conformance-run-holds.js';
import { runReadCases } from './conformance-run-reads.js';
import type { StoreCases } from './conformance-stage.js';
import type { JobStore } from './job-store.js';

/** One thing a store must do; `run` rejects when it does not. Bring your own test framework. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

const allCases: StoreCases = {
  ...jobCases,
  ...runReadCases,
  ...runChangeCases,
  ...runHoldCases,
  ...nodeCases,
  ...raceCases,
  ...batchCases,
};

/** What every `JobStore` must do. `open` gives a store on empty storage each time it is called; the case closes it. */
export function jobStoreConformance(open: () => Promise<JobStore>): readonly ConformanceCase[] {
  return Object.entries(allCases).map(([name, check]) => ({
    name,
    async run() {
      const store = await open();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    },
  }));
}
