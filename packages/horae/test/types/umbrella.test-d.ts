import { expectTypeOf, test } from 'vitest';
import { type CronExpression, parseCron } from '../../src/cron.js';
import { cron, rewrite, ring, shift, sim, tasks, time } from '../../src/index.js';
import { createRewriteScheduler, type RewriteScheduler } from '../../src/rewrite.js';
import { classifyDue, type Job } from '../../src/ring.js';
import { nextShiftOf, type Shift } from '../../src/shift.js';
import { type EpochResult, runEpoch } from '../../src/sim.js';
import { sqlTaskStore } from '../../src/tasks/sql.js';
import { checkTrace } from '../../src/tasks/trace.js';
import { createScheduler, type Scheduler } from '../../src/tasks.js';
import { openDatabase } from '../../src/time/storage.js';
import { createManualClock } from '../../src/time/testing.js';
import { type Clock, systemClock } from '../../src/time.js';

test('a namespace and its subpath are the same, types included', () => {
  expectTypeOf(cron.parseCron).toEqualTypeOf(parseCron);
  expectTypeOf(cron.parseCron('* * * * *')).toEqualTypeOf<CronExpression>();
  expectTypeOf(tasks.createScheduler).toEqualTypeOf(createScheduler);
  expectTypeOf(tasks.createScheduler()).toEqualTypeOf<Scheduler>();
  expectTypeOf(ring.classifyDue).toEqualTypeOf(classifyDue);
  expectTypeOf<ring.Job>().toEqualTypeOf<Job>();
  expectTypeOf(sim.runEpoch).toEqualTypeOf(runEpoch);
  expectTypeOf(runEpoch).returns.toEqualTypeOf<EpochResult>();
  expectTypeOf(rewrite.createRewriteScheduler()).toEqualTypeOf<RewriteScheduler>();
  expectTypeOf(createRewriteScheduler()).toEqualTypeOf<RewriteScheduler>();
  expectTypeOf(shift.nextShiftOf).toEqualTypeOf(nextShiftOf);
  expectTypeOf(nextShiftOf).returns.toEqualTypeOf<Shift | null>();
  expectTypeOf(time.systemClock()).toEqualTypeOf<Clock>();
  expectTypeOf(systemClock()).toEqualTypeOf<Clock>();
});

test('what Node loads when it is touched has the types of the whole', () => {
  type Whole = typeof import('../../src/index.js');
  type Lazy = typeof import('../../src/index-node.js');
  expectTypeOf<keyof Lazy>().toEqualTypeOf<keyof Whole>();
  expectTypeOf<Lazy>().toExtend<Whole>();
  expectTypeOf<Whole>().toExtend<Lazy>();
});

test('what stands below a package has a subpath of its own', () => {
  expectTypeOf(sqlTaskStore).toBeFunction();
  expectTypeOf(checkTrace).toBeFunction();
  expectTypeOf(openDatabase).toBeFunction();
  expectTypeOf(createManualClock).toBeFunction();
});

test('a wrong literal does not compile through the umbrella either', () => {
  // @ts-expect-error the minute is out of range
  cron.cron('60 * * * *');
});
