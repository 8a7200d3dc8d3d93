import { escapeLines } from './escape-controls.js';

/** JSON of any result: big integers as decimal text, bytes as hex, errors as their name and message. Control characters are escaped. */
export function plainJson(value: unknown, indent?: number): string {
  // JSON.stringify leaves C1 and bidirectional controls as they are; inside its strings the escape is JSON's own.
  return escapeLines(JSON.stringify(value, plain, indent) ?? 'null');
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}
