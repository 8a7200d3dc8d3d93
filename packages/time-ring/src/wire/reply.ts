import { z } from 'zod';

/** The code of a positive reply; every other code is negative. */
export const OK = 200;
export const REFUSED = 500;

/** The field in which replies carry their payload: `content` in XXL-JOB 2 and third-party executors, `data` in XXL-JOB 3. */
export type PayloadField = 'content' | 'data';

/** A reply as both sides send it. */
export interface Reply {
  readonly code: number;
  readonly msg: string | null;
  readonly payload?: unknown;
  /** Why a Horae executor refuses a run that could be accepted later, or was discarded; others ignore it. */
  readonly horae?: { readonly waitFor?: 'executor' | 'handler' | 'slot'; readonly isDiscarded?: true };
}

export function accepted(payload?: unknown): Reply {
  return payload === undefined ? { code: OK, msg: null } : { code: OK, msg: null, payload };
}

export function refused(msg: string): Reply {
  return { code: REFUSED, msg };
}

/** The JSON of a reply. */
export function replyText({ code, msg, payload, horae }: Reply, payloadField: PayloadField): string {
  const whole = payload === undefined ? { code, msg } : { code, msg, [payloadField]: payload };
  return JSON.stringify(horae === undefined ? whole : { ...whole, horae });
}

const replyShape = z.object({
  code: z.number(),
  msg: z.unknown().optional(),
  content: z.unknown().optional(),
  data: z.unknown().optional(),
  horae: z.unknown().optional(),
});
const passingShape = z.object({
  waitFor: z.enum(['executor', 'handler', 'slot']).optional(),
  isDiscarded: z.literal(true).optional(),
});

/** Reads a reply, whatever its content type. Returns a string with the problem if it is invalid. */
export function parseReply(text: string): Reply | string {
  if (text.trim() === '') return 'the answer is empty';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `the answer is no JSON: ${excerpt(text)}`;
  }
  const result = replyShape.safeParse(value);
  if (!result.success) return `the answer has no code: ${excerpt(text)}`;
  const { code, msg, content, data, horae } = result.data;
  const reply = { code, msg: typeof msg === 'string' ? msg : null, payload: content ?? data };
  const passing = passingShape.safeParse(horae);
  return passing.success ? { ...reply, horae: passing.data } : reply;
}

const EXCERPT = 120;

function excerpt(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return JSON.stringify(line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line);
}
