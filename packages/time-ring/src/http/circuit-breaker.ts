/** Whether calls are made: `half-open` allows one trial call. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** A permit for one call; its outcome must be reported once. */
export interface CallPermit {
  /** `answered`: the address answered, whatever the answer says. */
  report(how: 'answered' | 'fault', now: number): void;
}

/** Circuit breakers by address; callers pass in the time. */
export interface CircuitBreakers {
  /** Null: no call may be made now. */
  permit(address: string, now: number): CallPermit | null;
  state(address: string, now: number): BreakerState;
  /** How many addresses have had faults since their last answer. */
  readonly size: number;
  /** Closes the breaker: the executor has sent a heartbeat. */
  close(address: string): void;
}

export interface BreakerOptions {
  /** The number of consecutive faults that open it. */
  readonly failures: number;
  /** How long it stays open before one trial call. */
  readonly openMs: number;
}

interface Breaker {
  faults: number;
  openUntil: number | null;
  isTrying: boolean;
  /** Outcomes of calls that began before the last change of state are ignored. */
  generation: number;
}

/** Addresses that never answer again would accumulate: the oldest entry is dropped. */
const MAX_BREAKERS = 50_000;

/**
 * One breaker per address. Closed until `failures` consecutive faults; then no calls for `openMs` of elapsed time; then one trial, whose
 * success closes it and whose fault opens it again. An answer that says no is an answer.
 */
export function createCircuitBreakers({ failures, openMs }: BreakerOptions): CircuitBreakers {
  // Only addresses with a fault have an entry; all others are closed.
  const breakers = new Map<string, Breaker>();
  let openings = 0;

  function state(address: string, now: number): BreakerState {
    const openUntil = breakers.get(address)?.openUntil ?? null;
    if (openUntil === null) return 'closed';
    return now < openUntil ? 'open' : 'half-open';
  }

  function permit(address: string, now: number): CallPermit | null {
    const before = breakers.get(address);
    const isTrial = before !== undefined && before.openUntil !== null;
    if (isTrial) {
      if (now < before.openUntil! || before.isTrying) return null;
      before.isTrying = true;
    }
    const generation = before?.generation ?? 0;
    return {
      report(how, reportedAt) {
        const breaker = breakers.get(address);
        if ((breaker?.generation ?? 0) !== generation) return;
        if (how === 'answered') breakers.delete(address);
        else fault(breaker ?? remember(address), isTrial, reportedAt);
      },
    };
  }

  function fault(breaker: Breaker, isTrial: boolean, now: number): void {
    breaker.faults += 1;
    if (!isTrial && breaker.faults < failures) return;
    breaker.isTrying = false;
    breaker.openUntil = now + openMs;
    openings += 1;
    breaker.generation = openings;
  }

  function remember(address: string): Breaker {
    if (breakers.size >= MAX_BREAKERS) breakers.delete(breakers.keys().next().value!);
    const breaker: Breaker = { faults: 0, openUntil: null, isTrying: false, generation: 0 };
    breakers.set(address, breaker);
    return breaker;
  }

  return {
    permit,
    state,
    get size() {
      return breakers.size;
    },
    close: (address) => void breakers.delete(address),
  };
}
