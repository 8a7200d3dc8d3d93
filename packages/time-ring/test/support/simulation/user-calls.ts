import type { Job } from '../../../src/model/job.js';
import type { Run } from '../../../src/model/run.js';
import { anySchedule, oneOf } from './history-plan.js';
import type { UserCall } from './history-record.js';
import type { Running } from './run-history.js';
import type { SimulatedNode } from './simulated-node.js';

const KINDS = [
  'start',
  'start',
  'stop',
  'stop',
  'update',
  'trigger',
  'trigger',
  'kill',
  'kill',
  'add',
  'remove',
] as const;

const ASKING_KINDS = [...KINDS, 'ask', 'ask', 'ask', 'ask', 'retry', 'cancel', 'put', 'put'] as const;

/** Declared by many at once, and triggered by its key. */
export const DECLARED = { key: 'declared', name: 'declared', handler: 'work', schedule: { kind: 'none' } } as const;

/** A user asks some node for something; the answer may be long in coming. */
export function userCall(running: Running): void {
  const { random, playthings } = running;
  const living = running.living();
  if (living.length === 0) return;
  const node = oneOf(random, living);
  const kind = oneOf<UserCall['kind']>(random, running.plan.hasAsking ? ASKING_KINDS : KINDS);
  // The steady jobs are left alone, but may be triggered besides.
  const jobId = kind === 'trigger' || kind === 'ask' ? 1 + random.below(5) : oneOf(random, playthings);
  const call: UserCall = { kind, jobId, askedAt: running.order(), answeredAt: null, result: null };
  running.calls.push(call);
  void ask(running, node, call).then(
    (result) => {
      // A machine that died meanwhile gives no answers.
      if (node.machine.isDead) return;
      call.answeredAt = running.order();
      call.result = result;
    },
    () => {},
  );
}

async function ask(running: Running, { engine }: SimulatedNode, { kind, jobId }: UserCall): Promise<unknown> {
  const { random, playthings, plan } = running;
  const { jobs, runs } = engine;
  switch (kind) {
    case 'start':
    case 'stop':
      return jobs[kind](jobId!) satisfies Promise<Job>;
    case 'remove':
      // Seldom, or nothing would be left to play with.
      return random.below(3) === 0 ? jobs.remove(jobId!).then(() => true) : null;
    case 'update':
      return jobs.update(jobId!, random.below(2) === 0 ? { schedule: anySchedule(random) } : { priority: 1 });
    case 'trigger':
      return jobs.trigger(jobId!) satisfies Promise<Run>;
    case 'ask':
      return jobs.trigger(jobId!, { delayMs: random.below(2_500), uniqueKey: oneOf(random, ['a', 'b']) });
    case 'put': {
      const { job } = await jobs.put({ ...DECLARED, priority: random.below(3) });
      await jobs.trigger(DECLARED.key);
      return job;
    }
    case 'retry':
      return runs.retry((await anyRun(running, runs)) ?? 0);
    case 'cancel': {
      const id = await anyRun(running, runs);
      if (id === null) return null;
      running.killed.add(id);
      return (await runs.cancel(id)) ? id : null;
    }
    case 'add': {
      const job = await jobs.add({ ...plan.jobs[3]!, schedule: anySchedule(random), start: true });
      playthings.push(job.id);
      return job;
    }
    case 'kill':
      return killOne(running, runs);
  }
}

async function anyRun({ random }: Running, runs: SimulatedNode['engine']['runs']): Promise<number | null> {
  const { runs: newest } = await runs.list({ limit: 12 });
  return newest.length === 0 ? null : oneOf(random, newest).id;
}

async function killOne({ random, killed }: Running, runs: SimulatedNode['engine']['runs']): Promise<number | null> {
  const { runs: newest } = await runs.list({ limit: 12 });
  if (newest.length === 0) return null;
  const { id } = oneOf(random, newest);
  killed.add(id);
  return (await runs.kill(id)) ? id : null;
}
