import type { EpochMs } from '@horae/clock-store';
import { z } from 'zod';
import { triggerTypes } from '../model/run.js';
import type { Assignment } from '../workbench/assignment.js';
import { blockOfWireName, blockWireName } from './block-names.js';
import { shapeProblem } from './shape-problem.js';

/** The only kind of job that is sent: a handler by its name. Scripts are never sent and never accepted. */
const BEAN = 'BEAN';

/** The number of concurrent runs for a scheduler that requests CONCURRENT without a number. */
const UNSAID_CONCURRENCY = 64;

/** The body of `/run`. Fields after `broadcastTotal` belong to Orth and Horae; others ignore them. */
export function runMessage(assignment: Assignment, firedAt: EpochMs) {
  return {
    jobId: assignment.jobId,
    executorHandler: assignment.handler,
    executorParams: paramsText(assignment.params),
    executorBlockStrategy: blockWireName(assignment.block),
    executorTimeout: assignment.timeoutMs === null ? 0 : Math.ceil(assignment.timeoutMs / 1_000),
    logId: assignment.runId,
    logDateTime: firedAt,
    glueType: BEAN,
    glueSource: '',
    glueUpdatetime: firedAt,
    broadcastIndex: assignment.shardIndex,
    broadcastTotal: assignment.shardTotal,
    executorConcurrency: assignment.concurrency,
    scheduleTime: assignment.scheduleTime,
    horae: {
      fireId: assignment.fireId,
      attempt: assignment.attempt,
      triggerType: assignment.triggerType,
      params: assignment.params,
      isLastAttempt: assignment.isLastAttempt,
      job: { key: assignment.jobKey, name: assignment.jobName },
      ...(assignment.trace ? { trace: assignment.trace } : {}),
    },
  };
}

/** Parameters for executors that support only text: empty for null, a string unchanged, anything else as JSON. */
export function paramsText(params: unknown): string {
  if (params === null || params === undefined) return '';
  return typeof params === 'string' ? params : JSON.stringify(params);
}

const whole = z.number().int();
const instant = whole.min(-8.64e15).max(8.64e15);

const runShape = z.object({
  jobId: whole,
  logId: whole,
  executorHandler: z.string().nullish(),
  executorParams: z.string().nullish(),
  executorBlockStrategy: z.string().nullish(),
  executorTimeout: whole.min(0).max(1e9).nullish(),
  logDateTime: instant.nullish(),
  glueType: z.string().nullish(),
  broadcastIndex: whole.min(0).nullish(),
  broadcastTotal: whole.min(0).nullish(),
  executorConcurrency: whole.min(1).nullish(),
  scheduleTime: instant.nullish(),
  horae: z
    .object({
      fireId: whole,
      attempt: whole.min(1),
      triggerType: z.enum(triggerTypes),
      params: z.unknown().optional(),
      isLastAttempt: z.boolean().optional(),
      job: z.object({ key: z.string().nullable(), name: z.string() }).optional(),
      trace: z.string().max(190).optional(),
    })
    .nullish(),
});

/** The parsed body of `/run`. */
export interface RunOrder {
  readonly assignment: Assignment;
  readonly logDateTime: EpochMs;
}

/** Reads the body of `/run`, from Horae or another scheduler. Returns a string with the reason if it is refused. */
export function parseRunMessage(body: unknown, now: EpochMs): RunOrder | string {
  const result = runShape.safeParse(body);
  if (!result.success) return shapeProblem(result.error);
  const message = result.data;
  if (message.glueType !== BEAN) {
    return `glueType ${message.glueType ?? 'missing'} is refused: no code travels over the wire, only handlers by name (BEAN)`;
  }
  const seconds = message.executorTimeout ?? 0;
  const block = blockOfWireName(message.executorBlockStrategy ?? '') ?? 'SERIAL';
  return {
    logDateTime: message.logDateTime ?? now,
    assignment: {
      runId: message.logId,
      fireId: message.horae?.fireId ?? message.logId,
      jobId: message.jobId,
      handler: message.executorHandler ?? '',
      params: message.horae ? (message.horae.params ?? null) : message.executorParams || null,
      scheduleTime: message.scheduleTime ?? null,
      triggerType: message.horae?.triggerType ?? 'schedule',
      shardIndex: message.broadcastIndex ?? 0,
      shardTotal: Math.max(1, message.broadcastTotal ?? 1),
      attempt: message.horae?.attempt ?? 1,
      // Other schedulers do not send whether a retry follows.
      isLastAttempt: message.horae?.isLastAttempt ?? false,
      jobKey: message.horae?.job?.key ?? null,
      jobName: message.horae?.job?.name ?? '',
      block,
      concurrency: message.executorConcurrency ?? UNSAID_CONCURRENCY,
      timeoutMs: seconds === 0 ? null : seconds * 1_000,
      ...(message.horae?.trace === undefined ? {} : { trace: message.horae.trace }),
    },
  };
}
