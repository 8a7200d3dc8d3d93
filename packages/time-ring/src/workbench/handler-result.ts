import type { RunError } from '../model/run.js';
import { FAILURE, type Outcome, SUCCESS } from './assignment.js';

/** The most that a result may be, as UTF-8 of its JSON. */
export const MAX_RESULT_BYTES = 65_536;
const MAX_STACK_BYTES = 8_192;
export const MAX_MESSAGE_LENGTH = 15_000;

const nothingSaid: Outcome = { state: 'succeeded', code: SUCCESS, message: null };

/** How a run ends whose handler returned `value`: a result that cannot be kept is a failure that no further attempt mends. */
export function successOf(value: unknown): Outcome {
  if (value === undefined || value === null) return nothingSaid;
  const text = jsonOf(value);
  if (text === null) return unkept('is no JSON: return plain data, or nothing');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RESULT_BYTES) {
    return unkept(`is ${bytes} bytes of JSON, more than the ${MAX_RESULT_BYTES} that are kept: store it elsewhere`);
  }
  const message = typeof value === 'string' ? cut(value) : null;
  // What is kept is as it was now, whatever the handler's objects become.
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

/** What was thrown, as it is kept. */
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
  // A character that was cut in two is left out.
  return new TextDecoder().decode(bytes.subarray(0, MAX_STACK_BYTES)).replace(/\ufffd+$/, '');
}
