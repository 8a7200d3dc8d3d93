import { InvalidSnapshot, quote } from '../interchange/sim-errors.js';

export function refuse(field: string, value: unknown): never {
  throw new InvalidSnapshot(`InvalidSnapshot: ${field} is ${quote(value)}; give what snapshot() has given`, {
    field,
    value,
  });
}

export function check(holds: boolean, field: string, value: unknown): asserts holds {
  if (!holds) refuse(field, value);
}
