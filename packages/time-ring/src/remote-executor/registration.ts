import type { Clock } from '@horae/clock-store';
import type { Logger } from '../model/logger.js';
import { schedulerPaths } from '../wire/dialect.js';
import { type RegistryEntry, registryMessage } from '../wire/registry-message.js';
import type { SchedulerCalls } from './scheduler-calls.js';

/** The registration of an executor. */
export interface Registration {
  /** Deregisters from the scheduler; the heartbeats end. */
  end(signal: AbortSignal): Promise<void>;
}

export interface RegistrationOptions {
  readonly executor: RegistryEntry;
  readonly calls: SchedulerCalls;
  readonly clock: Clock;
  readonly log: Logger;
  readonly beatMs: number;
}

const FIRST_RETRY_MS = 1_000;

/** Registers at once, again with every heartbeat, and sooner after a failure: a scheduler may start later than its executors. */
export function startRegistration({ executor, calls, clock, log, beatMs }: RegistrationOptions): Registration {
  const ending = new AbortController();
  const givenUp = new AbortController();
  const { signal } = ending;
  const place = { group: executor.group, address: executor.address };

  async function keepRegistered(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const answer = await calls.call(schedulerPaths.registry, registryMessage(executor), { signal: givenUp.signal });
      if (signal.aborted) return;
      failures = answer === true ? 0 : failures + 1;
      if (answer !== true)
        log.warn({ ...place, problem: answer, failures }, 'The scheduler does not take the registration');
      const delayMs = failures === 0 ? beatMs : Math.min(beatMs, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 30));
      await clock.sleepFor(delayMs, { signal }).catch(() => {});
    }
  }

  const beating = keepRegistered();
  return {
    async end(giveUp) {
      ending.abort();
      giveUp.addEventListener('abort', () => givenUp.abort(), { once: true });
      // A registration under way ends first, so that it cannot undo the deregistration.
      await beating;
      const answer = await calls.call(schedulerPaths.registryRemove, registryMessage(place), { signal: giveUp });
      if (answer !== true)
        log.warn({ ...place, problem: answer }, 'The scheduler was not told that the executor stops');
    },
  };
}
