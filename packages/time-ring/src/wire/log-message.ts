import type { EpochMs } from '@horae/clock-store';
import { z } from 'zod';
import type { LogLines } from '../workbench/remote-calls.js';
import { shapeProblem } from './shape-problem.js';

const requestShape = z.object({
  logId: z.number().int(),
  logDateTim: z.number().int().min(-8.64e15).max(8.64e15).nullish(),
  fromLineNum: z.number().int().nullish(),
});

const resultShape = z.object({
  fromLineNum: z.number().nullish(),
  toLineNum: z.number().nullish(),
  logContent: z.string().nullish(),
  isEnd: z.boolean().nullish().catch(null),
});

/** A page of a run's log; lines count from 1. */
export interface LogPage {
  readonly fromLineNum: number;
  readonly toLineNum: number;
  readonly lines: readonly string[];
  readonly isEnd: boolean;
}

/** The body of `/log`, including the protocol's misspelling. Lines count from 0 here, from 1 on the wire. */
export function logMessage(run: { runId: number; firedAt: EpochMs; fromLine: number }) {
  return { logDateTim: run.firedAt, logId: run.runId, fromLineNum: run.fromLine + 1 };
}

/** Reads the body of `/log`. Returns a string with the reason if it is refused. */
export function parseLogMessage(
  body: unknown,
): { runId: number; logDateTime: EpochMs | null; fromLineNum: number } | string {
  const result = requestShape.safeParse(body);
  if (!result.success) return shapeProblem(result.error);
  const { logId, logDateTim, fromLineNum } = result.data;
  return { runId: logId, logDateTime: logDateTim ?? null, fromLineNum: Math.max(1, fromLineNum ?? 1) };
}

/** The payload of the answer to `/log`: every line ends with a line feed, so that pages can be concatenated. */
export function logPayload({ fromLineNum, toLineNum, lines, isEnd }: LogPage) {
  return { fromLineNum, toLineNum, logContent: lines.map((line) => `${line}\n`).join(''), isEnd };
}

/** The lines of an answer to `/log`; null when it cannot be read. */
export function parseLogPayload(payload: unknown): LogLines | null {
  const result = resultShape.safeParse(payload);
  if (!result.success) return null;
  if (!result.data.logContent) return { lines: [], hasMore: false };
  const lines = result.data.logContent.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  const { fromLineNum, toLineNum } = result.data;
  const isCounted = typeof fromLineNum === 'number' && typeof toLineNum === 'number';
  // One npm executor prepends an empty line that its own count does not include.
  if (isCounted && lines[0] === '' && lines.length > toLineNum - fromLineNum + 1) lines.shift();
  return { lines, hasMore: lines.length > 0 && result.data.isEnd === false };
}
