/** The own property `key` of `record`, or undefined. Inherited properties (`constructor`, `__proto__`) are never found. */
export function ownValue(record: unknown, key: string): unknown {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, key)) return undefined;
  return (record as Record<string, unknown>)[key];
}

/** Sets an own property under any name; a plain assignment to `__proto__` would change the prototype instead. */
export function putOwn<Value>(record: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[key] = value;
  }
}
