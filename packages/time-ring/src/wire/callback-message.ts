import type { EpochMs } from '@horae/clock-store';
import { z } from 'zod';
import type { Outcome } from '../executor/assignment.js';
import type { RemoteResult } from '../http/remote-calls.js';
import { OK } from './reply.js';

const LONGEST_MESSAGE = 15_000;

const itemShape = z.object({
  logId: z.number().int(),
  handleCode: z.number().int(),
  handleMsg: z.string().nullish(),
  horae: z.unknown().optional(),
});
const killedShape = z.object({ state: z.literal('killed') });

/** One item of `/api/callback`, the missing letter included. */
export interface CallbackItem {
  readonly logId: number;
  readonly logDateTim: EpochMs;
  readonly handleCode: number;
  readonly handleMsg: string | null;
  /** Others have no word for a run that was killed: to them it is a failure. */
  readonly horae?: { readonly state: 'killed' };
}

export function callbackItem(runId: number, logDateTime: EpochMs, outcome: Outcome): CallbackItem {
  const item = { logId: runId, logDateTim: logDateTime, handleCode: outcome.code, handleMsg: outcome.message };
  return outcome.state === 'killed' ? { ...item, horae: { state: 'killed' } } : item;
}

/** What a callback holds: the results that could be read, and what was wrong with the first other. */
export interface Callback {
  readonly results: readonly RemoteResult[];
  readonly problem: string | null;
}

/** Reads the body of `/api/callback`, item by item: one that is broken does not take the others with it. */
export function parseCallback(body: unknown): Callback {
  if (!Array.isArray(body)) return { results: [], problem: 'body: must be an array of results' };
  const results: RemoteResult[] = [];
  let problem: string | null = null;
  for (const [index, value] of body.entries()) {
    const item = itemShape.safeParse(value);
    if (item.success) results.push(remoteResult(item.data));
    else problem ??= `item ${index}: ${[...item.error.issues[0]!.path, item.error.issues[0]!.message].join(': ')}`;
  }
  return { results, problem };
}

function remoteResult({ logId, handleCode, handleMsg, horae }: z.output<typeof itemShape>): RemoteResult {
  const isKilled = handleCode !== OK && killedShape.safeParse(horae).success;
  return {
    runId: logId,
    state: isKilled ? 'killed' : handleCode === OK ? 'succeeded' : 'failed',
    code: handleCode,
    message: handleMsg?.slice(0, LONGEST_MESSAGE) ?? null,
  };
}
