import type { JobStore } from '../store/job-store.js';
import { alertCases } from './conformance-alerts.js';
import { askingCases } from './conformance-asking.js';
import { batchCases } from './conformance-batches.js';
import { calendarCases } from './conformance-calendars.js';
import { declaringCases } from './conformance-declaring.js';
import { eventCases } from './conformance-events.js';
import { flowCases } from './conformance-flows.js';
import { glanceCases } from './conformance-glance.js';
import { groupCases } from './conformance-groups.js';
import { jobCases } from './conformance-jobs.js';
import { nodeCases } from './conformance-nodes.js';
import { raceCases } from './conformance-races.js';
import { runChangeCases } from './conformance-run-changes.js';
import { runHoldCases } from './conformance-run-locks.js';
import { runReadCases } from './conformance-run-reads.js';
import type { StoreCases } from './conformance-stage.js';
import { upcomingCases } from './conformance-upcoming.js';
import { waitingCases } from './conformance-waiting.js';

/** One requirement of a store; `run` rejects when the store does not meet it. Works with any test framework. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

const allCases: StoreCases = {
  ...jobCases,
  ...declaringCases,
  ...calendarCases,
  ...groupCases,
  ...runReadCases,
  ...runChangeCases,
  ...runHoldCases,
  ...waitingCases,
  ...askingCases,
  ...nodeCases,
  ...raceCases,
  ...batchCases,
  ...alertCases,
  ...eventCases,
  ...flowCases,
  ...glanceCases,
  ...upcomingCases,
};

/** The requirements of every `JobStore`. `open` returns a store on empty storage each time it is called; the case closes it. */
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
