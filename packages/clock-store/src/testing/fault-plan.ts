import type { Clock } from '../clock.js';
import { HoraeError } from '../errors.js';
import type { Random } from '../random.js';

/**
 * The faults of a call. `fail`: it never reaches the port. `lose-answer`: the port carries it out, the caller receives a failure. `delay`:
 * it reaches the port late. `crash`: the process dies before the call; `crash-after`: just after the port carried it out.
 */
export type Fault = 'fail' | 'lose-answer' | 'delay' | 'crash' | 'crash-after';

/** Options of `faultPlan`. */
export interface FaultPlanOptions {
  /** Faults for certain calls: the `nth` (from 1) call of `method`, or the `nth` call of all when no method is named. */
  readonly calls?: readonly { readonly method?: string; readonly nth: number; readonly fault: Fault }[];
  /** How many of 1,000 other calls receive each fault, by the plan's random numbers. */
  readonly perMille?: Partial<Readonly<Record<Fault, number>>>;
  /** The maximum number of faults by chance. Default: no limit. */
  readonly most?: number;
  /** Delays sleep on it. Needed when the plan can delay. */
  readonly clock?: Clock;
  /** The longest delay; each is drawn from 1 to this. Default: 1,000 ms. */
  readonly longestDelayMs?: number;
  /** What a failed call rejects with. Default: `InjectedFaultError`. */
  makeError?(call: FaultCall): unknown;
  /** Methods that are never faulted and work after a crash. Default: `close` and `stop`. */
  readonly spared?: readonly string[];
}

/** A call that met a fault. `call` counts all calls of the plan, `nth` those of this method, both from 1. */
export interface FaultCall {
  readonly method: string;
  readonly call: number;
  readonly nth: number;
  readonly fault: Fault;
  /** Only for `delay`. */
  readonly delayMs?: number;
}

/** Faults that come in the same places for the same seed and the same calls. */
export interface FaultPlan {
  /** The same port with faults. Its methods are taken to be asynchronous: a fault is a rejection. */
  wrap<Port extends object>(port: Port): Port;
  /** The faults so far, in order. */
  readonly log: readonly FaultCall[];
  /** After a crash every call of every wrapped port rejects with `InjectedCrashError`, as for a process that has died. */
  readonly hasCrashed: boolean;
  /** The process is started again: calls work, and the plan continues. */
  restart(): void;
  /** No more faults from here on. */
  heal(): void;
}

/** A failure that a fault plan made. */
export class InjectedFaultError extends HoraeError<FaultCall> {
  readonly code = 'injected-fault';
}

/** The process is dead by a fault plan: nothing reaches the port any more. */
export class InjectedCrashError extends HoraeError<{ method: string }> {
  readonly code = 'injected-crash';
}

/** A fault plan that cannot be carried out. */
export class FaultPlanInputError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'bad-fault-plan';
}

const FAULTS: readonly Fault[] = ['fail', 'lose-answer', 'delay', 'crash', 'crash-after'];

/** Makes a fault plan whose chances come from `random`: one draw per call, so equal seeds make equal plans. */
export function faultPlan(random: Random, options: FaultPlanOptions): FaultPlan {
  checkOptions(options);
  const { calls = [], perMille = {}, most = Number.POSITIVE_INFINITY, longestDelayMs = 1_000 } = options;
  const spared = new Set(options.spared ?? ['close', 'stop']);
  const log: FaultCall[] = [];
  const countByMethod = new Map<string, number>();
  let count = 0;
  let byChance = 0;
  let hasCrashed = false;
  let isHealed = false;

  function nextFault(method: string): FaultCall | undefined {
    count += 1;
    const nth = (countByMethod.get(method) ?? 0) + 1;
    countByMethod.set(method, nth);
    const drawn = drawFault(random, perMille);
    const planned = calls.find((each) =>
      each.method === undefined ? each.nth === count : each.method === method && each.nth === nth,
    );
    const fault = planned?.fault ?? (byChance < most ? drawn : undefined);
    if (fault === undefined || isHealed) return undefined;
    if (planned === undefined) byChance += 1;
    const delayMs = fault === 'delay' ? { delayMs: 1 + random.below(longestDelayMs) } : {};
    const faulted: FaultCall = { method, call: count, nth, fault, ...delayMs };
    log.push(faulted);
    return faulted;
  }

  async function meet(faulted: FaultCall, invoke: () => unknown): Promise<unknown> {
    if (faulted.fault === 'delay') {
      await options.clock?.sleepFor(faulted.delayMs ?? 0);
      if (hasCrashed) throw crashed(faulted.method);
      return invoke();
    }
    if (faulted.fault === 'lose-answer' || faulted.fault === 'crash-after') await invoke();
    if (faulted.fault === 'crash' || faulted.fault === 'crash-after') {
      hasCrashed = true;
      throw crashed(faulted.method);
    }
    throw options.makeError?.(faulted) ?? injected(faulted);
  }

  function call(method: string, invoke: () => unknown): unknown {
    if (spared.has(method)) return invoke();
    if (hasCrashed) return Promise.reject(crashed(method));
    const faulted = nextFault(method);
    return faulted === undefined ? invoke() : meet(faulted, invoke);
  }

  return {
    wrap: (port) => withCalls(port, call),
    log,
    get hasCrashed() {
      return hasCrashed;
    },
    restart() {
      hasCrashed = false;
    },
    heal() {
      isHealed = true;
    },
  };
}

function drawFault(random: Random, perMille: Partial<Readonly<Record<Fault, number>>>): Fault | undefined {
  const drawn = random.below(1_000);
  let bound = 0;
  for (const fault of FAULTS) {
    bound += perMille[fault] ?? 0;
    if (drawn < bound) return fault;
  }
  return undefined;
}

/** The same object with every method that has a name going through `call`. */
function withCalls<Port extends object>(port: Port, call: (method: string, invoke: () => unknown) => unknown): Port {
  return new Proxy(port, {
    get(target, key) {
      const value = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (typeof key === 'symbol') return value.bind(target);
      return (...parameters: unknown[]) => call(key, () => value.apply(target, parameters));
    },
  });
}

function injected(faulted: FaultCall): InjectedFaultError {
  const { method, nth, fault } = faulted;
  return new InjectedFaultError(`Injected fault: ${fault} on call ${nth} of ${method}`, faulted);
}

function crashed(method: string): InjectedCrashError {
  return new InjectedCrashError(`Injected crash: the process is gone, ${method} is not called`, { method });
}

function checkOptions(options: FaultPlanOptions): void {
  const chances = FAULTS.map((fault) => options.perMille?.[fault] ?? 0);
  const sum = chances.reduce((total, chance) => total + chance, 0);
  if (chances.some((chance) => !(chance >= 0)) || sum > 1_000) {
    const value = options.perMille;
    throw new FaultPlanInputError('perMille needs chances of 0 or more that add up to at most 1,000', {
      field: 'perMille',
      value,
    });
  }
  const canDelay = (options.perMille?.delay ?? 0) > 0 || options.calls?.some((each) => each.fault === 'delay');
  if (canDelay && options.clock === undefined) {
    throw new FaultPlanInputError('A plan with delays needs a clock to sleep on', { field: 'clock', value: undefined });
  }
  const bad = options.calls?.find(
    (each) => !Number.isInteger(each.nth) || each.nth < 1 || !FAULTS.includes(each.fault),
  );
  if (bad !== undefined) {
    throw new FaultPlanInputError(`calls need nth from 1 and one of ${FAULTS.join(', ')}`, {
      field: 'calls',
      value: bad,
    });
  }
}
