/** JSON of any answer: big integers as decimal text, bytes as hex, errors as their name and message. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, plain, indent) ?? 'null';
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}
