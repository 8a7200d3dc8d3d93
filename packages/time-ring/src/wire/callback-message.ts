import type { EpochMs } from '@horae/clock-store';
import { z } from 'zod';
import type { RunError, RunProgress } from '../model/run.js';
import type { Outcome } from '../workbench/assignment.js';
import { MAX_RESULT_BYTES } from '../workbench/handler-result.js';
import type { RemoteResult } from '../workbench/remote-calls.js';
import { OK } from './reply.js';

const MAX_MESSAGE_LENGTH = 15_000;

const itemShape = z.object({
  logId: z.number().int(),
  handleCode: z.number().int(),
  handleMsg: z.string().nullish(),
  horae: z.unknown().optional(),
});
const killedShape = z.object({ state: z.literal('killed') });
const laterShape = z.object({ retryAfterMs: z.number().min(0) });
const resultShape = z.object({ result: z.json() });
const errorShape = z.object({
  error: z.object({
    name: z.string().max(MAX_MESSAGE_LENGTH),
    message: z.string().max(MAX_MESSAGE_LENGTH),
    stack: z.string().max(8_192),
  }),
});
const progressShape = z.object({
  progress: z.object({ fraction: z.number().min(0).max(1).nullable(), note: z.string().max(1_000) }),
});
const traceShape = z.object({ trace: z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/) });
const finalShape = z.object({ unrecoverable: z.literal(true) });

/** One item of `/api/callback`, including the protocol's misspelling. */
export interface CallbackItem {
  readonly logId: number;
  readonly logDateTim: EpochMs;
  readonly handleCode: number;
  readonly handleMsg: string | null;
  /** Third-party schedulers do not distinguish a run that was killed, postponed or can never succeed: for them it is a failure. */
  readonly horae?: {
    readonly state?: 'killed';
    readonly retryAfterMs?: number;
    readonly unrecoverable?: true;
    readonly result?: unknown;
    readonly error?: RunError;
    readonly progress?: RunProgress;
    readonly trace?: string;
  };
}

export function callbackItem(runId: number, logDateTime: EpochMs, outcome: Outcome): CallbackItem {
  const item = { logId: runId, logDateTim: logDateTime, handleCode: outcome.code, handleMsg: outcome.message };
  const { state, retryAfterMs, isFinal, result, error, progress, trace } = outcome;
  const horae: NonNullable<CallbackItem['horae']> = {
    ...(state === 'killed' ? { state } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(isFinal ? { unrecoverable: true } : {}),
    ...(result === undefined ? {} : { result }),
    ...(error ? { error } : {}),
    ...(progress ? { progress } : {}),
    ...(trace === undefined ? {} : { trace }),
  };
  return Object.keys(horae).length === 0 ? item : { ...item, horae };
}

/** The content of a callback: the results that could be read, and the problem with the first invalid one. */
export interface Callback {
  readonly results: readonly RemoteResult[];
  readonly problem: string | null;
}

/** Reads the body of `/api/callback`, item by item: an invalid item does not affect the others. */
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
  const later = handleCode === OK ? undefined : laterShape.safeParse(horae).data;
  const isFinal = handleCode !== OK && finalShape.safeParse(horae).success;
  return {
    runId: logId,
    state: isKilled ? 'killed' : handleCode === OK ? 'succeeded' : 'failed',
    code: handleCode,
    message: handleMsg?.slice(0, MAX_MESSAGE_LENGTH) ?? null,
    ...(later === undefined ? {} : { retryAfterMs: later.retryAfterMs }),
    ...(isFinal ? { isFinal } : {}),
    ...told(horae, handleCode === OK),
  };
}

/** The fields that only Horae's executors send. A result that is too large is dropped: its executor would have failed the run. */
function told(horae: unknown, isSuccess: boolean): Pick<RemoteResult, 'result' | 'error' | 'progress' | 'trace'> {
  if (horae === undefined || horae === null) return {};
  const result = isSuccess ? resultShape.safeParse(horae).data?.result : undefined;
  const error = isSuccess ? undefined : errorShape.safeParse(horae).data?.error;
  const progress = progressShape.safeParse(horae).data?.progress;
  const trace = traceShape.safeParse(horae).data?.trace;
  const isKept = result !== undefined && Buffer.byteLength(JSON.stringify(result)) <= MAX_RESULT_BYTES;
  return {
    ...(isKept ? { result } : {}),
    ...(error ? { error } : {}),
    ...(progress ? { progress } : {}),
    ...(trace === undefined ? {} : { trace }),
  };
}
