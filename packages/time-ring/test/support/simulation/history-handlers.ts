import type { Random } from '@horae/clock-store';
import type { ManualClock } from '@horae/clock-store/testing';
import { type Handler, RetryLater, type RunContext, Unrecoverable } from '../../../src/model/handler.js';
import { oneOf } from './history-plan.js';
import type { HandlerStart } from './history-record.js';
import type { Change } from './observed-store.js';
import type { SimulatedMachine } from './simulated-machine.js';

const ACTS = [
  ...(['succeed', 'succeed', 'succeed', 'fail', 'take time', 'take time', 'hang'] as const),
  ...(['ask for later', 'fail for good'] as const),
];

/** Handlers that succeed, fail, take their time or hang, and whose results say which start of a handler they are of. */
export function createHandlers(
  random: Random,
  base: ManualClock,
  note: (event: { kind: 'start'; start: HandlerStart }) => void,
) {
  /** The fence under which each node was last seen to fire a run. */
  const fences = new Map<string, number>();
  const healing = new AbortController();
  const final = new Set<string>();
  const later = new Set<string>();
  let started = 0;

  async function act(context: RunContext, machine: SimulatedMachine, text: string): Promise<string> {
    const what = healing.signal.aborted ? 'succeed' : oneOf(random, ACTS);
    if (what === 'fail') throw new Error(text);
    if (what === 'fail for good') {
      final.add(text);
      throw new Unrecoverable(text);
    }
    if (what === 'ask for later') {
      later.add(text);
      throw new RetryLater(random.below(3_000), text);
    }
    if (what === 'take time') await machine.clock.sleepFor(1 + random.below(2_500), { signal: context.signal });
    if (what === 'hang') await untilAborted(AbortSignal.any([context.signal, healing.signal]));
    if (context.signal.aborted) throw new Error(text);
    return text;
  }

  return {
    saw(change: Change): void {
      if (change.kind === 'fired') fences.set(`${change.owner} ${change.id}`, change.fence);
    },
    final,
    later,
    heal: () => healing.abort(),
    handlerOn(owner: string, machine: SimulatedMachine): Handler {
      return (context) => {
        started += 1;
        const fence = fences.get(`${owner} ${context.runId}`) ?? 0;
        const nodeAt = machine.clock.now();
        note({ kind: 'start', start: { number: started, owner, fence, nodeAt, trueAt: base.now(), context } });
        return act(context, machine, `start ${started}`);
      };
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
