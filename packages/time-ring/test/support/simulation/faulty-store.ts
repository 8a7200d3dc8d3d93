import type { Clock } from '@horae/clock-store';
import type { JobReads, JobStore, JobTransaction } from '../../../src/store/job-store.js';
import type { SimulatedMachine } from './simulated-machine.js';

/**
 * What becomes of a call to the store. `fail`: it never arrives. `roll-back`: it arrives and is not committed. `lose-answer`: it is
 * committed, and the caller hears a failure. `contend`: it is rolled back and done again, as after a deadlock. `late-call` and
 * `late-answer`: it takes `delayMs` to arrive, or its answer does. `crash` and `crash-after`: the machine dies before or after it.
 */
export type StoreFate =
  | 'fail'
  | 'roll-back'
  | 'lose-answer'
  | 'contend'
  | 'late-call'
  | 'late-answer'
  | 'crash'
  | 'crash-after';

export interface StoreFault {
  readonly fate: StoreFate;
  readonly delayMs: number;
}

/** The store as a machine reaches it. `draw` decides about each call; null lets it through. */
export function throughFaults(
  store: JobStore,
  parts: {
    machine: SimulatedMachine;
    base: Clock;
    /** The clock that all nodes agree on; null: each believes its own. */
    now: () => number | null;
    draw(): StoreFault | null;
  },
): JobStore {
  const { machine, base, draw } = parts;

  async function call<T>(invoke: (fate: StoreFate | null) => Promise<T>): Promise<T> {
    await machine.awake();
    const fault = draw();
    if (fault === null) return answer(await invoke(null));
    const { fate, delayMs } = fault;
    if (fate === 'fail') throw new Error('The store cannot be reached');
    if (fate === 'crash') machine.crash();
    if (fate === 'late-call') await base.sleepFor(delayMs);
    await machine.awake();
    const result = await invoke(fate);
    if (fate === 'late-answer') await base.sleepFor(delayMs);
    if (fate === 'crash-after') machine.crash();
    if (fate === 'lose-answer') throw new Error('The answer of the store was lost');
    return answer(result);
  }

  async function answer<T>(result: T): Promise<T> {
    await machine.awake();
    return result;
  }

  const transaction = <T>(work: (trx: JobTransaction) => Promise<T>): Promise<T> =>
    call(async (fate) => {
      const timed = (trx: JobTransaction) => work(withNow(trx));
      if (fate === 'roll-back' || fate === 'contend') {
        const undone = store.transaction(async (trx) => {
          await timed(trx);
          throw new Error('The store rolled back');
        });
        if (fate === 'roll-back') return undone;
        await undone.catch(() => {});
      }
      return store.transaction(timed);
    });

  const now = async () => parts.now();
  const withNow = (trx: JobTransaction): JobTransaction => Object.assign(Object.create(trx), { now });

  return new Proxy(store, {
    get(target, key) {
      if (key === 'transaction') return transaction;
      if (key === 'now') return () => call(now);
      const method = target[key as keyof JobReads] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => call(() => method(...args));
    },
  });
}
