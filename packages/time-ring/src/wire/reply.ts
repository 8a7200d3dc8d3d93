import { z } from 'zod';

/** The code of a reply that says yes; every other is a no. */
export const OK = 200;
export const REFUSED = 500;

/** Where replies carry their payload: XXL-JOB 2 and the executors of others say `content`, XXL-JOB 3 says `data`. */
export type PayloadField = 'content' | 'data';

/** A reply as both sides send it. */
export interface Reply {
  readonly code: number;
  readonly msg: string | null;
  readonly payload?: unknown;
}

export function accepted(payload?: unknown): Reply {
  return payload === undefined ? { code: OK, msg: null } : { code: OK, msg: null, payload };
}

export function refused(msg: string): Reply {
  return { code: REFUSED, msg };
}

/** The JSON of a reply. */
export function replyText({ code, msg, payload }: Reply, payloadField: PayloadField): string {
  return JSON.stringify(payload === undefined ? { code, msg } : { code, msg, [payloadField]: payload });
}

const replyShape = z.object({
  code: z.number(),
  msg: z.unknown().optional(),
  content: z.unknown().optional(),
  data: z.unknown().optional(),
});

/** Reads a reply whatever its content type says. A text says what is wrong with it. */
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
  const { code, msg, content, data } = result.data;
  return { code, msg: typeof msg === 'string' ? msg : null, payload: content ?? data };
}

const EXCERPT = 120;

function excerpt(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return JSON.stringify(line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line);
}
