import { hostname } from 'node:os';
import { type Clock, createSupervisedLoop, HoraeError, systemRandom } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import { type Claim, refreshClaim, releaseClaim, takeClaim } from './sql-namespace-claim.js';

const BEAT_MS = 5_000;

/** Another daemon works on this namespace: two would run everything twice. */
export class NamespaceTakenError extends HoraeError<{ hint: string; namespace: string; pid: number; host: string }> {
  readonly code = 'namespace-taken';
}

/**
 * Makes this process the only one that works on a namespace, until it is disposed. A daemon that died leaves its claim behind:
 * on the same machine it is taken over at once, from another after 15 seconds without a sign of life.
 */
export async function claimNamespace(
  database: HoraeDatabase,
  namespace: string,
  { clock, onLost }: { clock: Clock; onLost(): void },
): Promise<AsyncDisposable> {
  const random = systemRandom();
  const owner = [1, 2, 3, 4].map(() => random.uint32().toString(16).padStart(8, '0')).join('');
  const claim: Claim = { namespace, owner, host: hostname(), pid: process.pid };
  const holder = await takeClaim(database, claim, isAlive);
  if (holder !== null) {
    throw new NamespaceTakenError(
      `process ${holder.pid} on ${holder.host} works on the namespace "${namespace}" already`,
      {
        hint: 'stop it, or give one of the two another namespace or database',
        namespace,
        pid: holder.pid,
        host: holder.host,
      },
    );
  }
  const ending = new AbortController();
  const loop = createSupervisedLoop({
    clock,
    random,
    async pass() {
      if (await refreshClaim(database, claim)) return { afterMs: BEAT_MS };
      onLost();
      return 'done';
    },
  });
  const beating = loop.run(ending.signal);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await beating;
      await releaseClaim(database, claim);
    },
  };
}

/** Whether a process of this machine lives. One of another user does, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
