import type { RunError } from '../model/run.js';
import { FAILURE, type Outcome, SUCCESS } from './assignment.js';

/** The maximum size of a result, in bytes of UTF-8 JSON. */
export const MAX_RESULT_BYTES = 65_536;
const MAX_STACK_BYTES = 8_192;
export const MAX_MESSAGE_LENGTH = 15_000;

const nothingSaid: Outcome = { state: 'succeeded', code: SUCCESS, message: null };

/** The outcome of a run whose handler returned `value`: a result that cannot be stored is a final failure. */
export function successOf(value: unknown): Outcome {
  if (value === undefined || value === null) return nothingSaid;
  const text = jsonOf(value);
  if (text === null) return unkept('is no JSON: return plain data, or nothing');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RESULT_BYTES) {
    return unkept(`is ${bytes} bytes of JSON, more than the ${MAX_RESULT_BYTES} that are kept: store it elsewhere`);
  }
  const message = typeof value === 'string' ? cut(value) : null;
  // Stores a copy, so that later changes to the handler's objects have no effect.
  return { state: 'succeeded', code: SUCCESS, message, result: JSON.parse(text) };
}

function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

function unkept(problem: string): Outcome {
  const message = `The result ${problem}`;
  return {
    state: 'failed',
    code: FAILURE,
    message,
    isFinal: true,
    error: { name: 'ResultError', message, stack: '' },
  };
}

/** A thrown value in its stored form. */
export function errorOf(thrown: unknown): RunError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: cut(String(thrown)), stack: '' };
  return {
    name: cut(String(thrown.name)),
    message: cut(String(thrown.message)),
    stack: cutBytes(String(thrown.stack ?? '')),
  };
}

export function cut(message: string): string {
  return message.slice(0, MAX_MESSAGE_LENGTH);
}

function cutBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_STACK_BYTES) return text;
  // Drops a character that was cut in two.
  return new TextDecoder().decode(bytes.subarray(0, MAX_STACK_BYTES)).replace(/\ufffd+$/, '');
}
