import type { ActionInstance } from '../interchange/interchange.js';
import { putOwn } from '../interchange/own-property.js';
import type { Column } from '../tables/columns.js';
import { check, refuse } from './snapshot-fault.js';

/** The fields of some actions in their order, and every value that a field takes, once. */
export interface InstanceShape {
  fields: { key: string; values: unknown[] }[];
}

/** Submitted actions without repetition: each has the number of a shape, and for each field of it the number of a value. */
export interface InstanceImage {
  shapes: InstanceShape[];
  columns: [string, Column][];
}

/** Marks in a column of values that the field is the action's own id, which the state holds already. */
const OWN_ID = -1;

/** Value numbers of one field, in the order of the actions that have it. */
class FieldWriter {
  readonly values: unknown[] = [];
  readonly numbers: number[] = [];
  readonly #texts = new Map<string, number>();
  readonly #others = new Map<string, number>();

  add(value: unknown, json: string): void {
    const known = typeof value === 'string' ? this.#texts : this.#others;
    const key = typeof value === 'string' ? value : json;
    let number = known.get(key);
    if (number === undefined) {
      number = this.values.push(typeof value === 'string' ? value : JSON.parse(json)) - 1;
      known.set(key, number);
    }
    this.numbers.push(number);
  }
}

/** Writes actions as columns. Fields that JSON leaves out are left out. */
export function instanceImage(instances: readonly ActionInstance[], idOf: (row: number) => string): InstanceImage {
  const shapeOf = new Map<string, number>();
  const shapes: { keys: string[]; fields: FieldWriter[] }[] = [];
  const shape = new Int32Array(instances.length);
  let number = -1;
  const numberOf = (keys: string[]): number => {
    const name = JSON.stringify(keys);
    const known = shapeOf.get(name) ?? shapes.push({ keys, fields: keys.map(() => new FieldWriter()) }) - 1;
    shapeOf.set(name, known);
    return known;
  };
  for (let row = 0; row < instances.length; row++) {
    const { keys, values, texts } = jsonFields(instances[row]!);
    // Nearly always the shape is that of the action before.
    if (!isSame(keys, shapes[number]?.keys)) number = numberOf(keys);
    shape[row] = number;
    const { fields } = shapes[number]!;
    const id = idOf(row);
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === 'id' && values[i] === id) fields[i]!.numbers.push(OWN_ID);
      else fields[i]!.add(values[i], texts[i]!);
    }
  }
  const columns: [string, Column][] = [['shape', shape]];
  shapes.forEach(({ fields }, s) => {
    fields.forEach(({ numbers }, i) => {
      columns.push([`${s}.${i}`, Int32Array.from(numbers)]);
    });
  });
  return {
    shapes: shapes.map(({ keys, fields }) => ({ fields: keys.map((key, i) => ({ key, values: fields[i]!.values })) })),
    columns,
  };
}

function isSame(keys: readonly string[], others: readonly string[] | undefined): boolean {
  return keys.length === others?.length && keys.every((key, i) => key === others[i]);
}

/** The fields of an action that JSON shows; texts need no JSON of their own. */
function jsonFields(instance: ActionInstance): { keys: string[]; values: unknown[]; texts: string[] } {
  const isOdd = typeof (instance as { toJSON?: unknown }).toJSON === 'function';
  const source = (isOdd ? { ...JSON.parse(JSON.stringify(instance)) } : instance) as Record<string, unknown>;
  const keys: string[] = [];
  const values: unknown[] = [];
  const texts: string[] = [];
  for (const key of Object.keys(source)) {
    const value = source[key];
    const text = typeof value === 'string' ? '' : JSON.stringify(value);
    if (text === undefined) continue;
    keys.push(key);
    values.push(value);
    texts.push(text);
  }
  return { keys, values, texts };
}

/** The actions again. Parts that several of them have in common are shared and frozen. */
export function instancesFrom(
  shapes: readonly InstanceShape[],
  columns: ReadonlyMap<string, Column>,
  idOf: (row: number) => string,
): ActionInstance[] {
  const readers = shapes.map(({ fields }, s) => ({
    fields: fields.map(({ key, values }, i) => ({
      key,
      values: values.map(frozen),
      numbers: columns.get(`${s}.${i}`)!,
    })),
    next: 0,
  }));
  return Array.from(columns.get('shape')!, (number, row) => {
    const shape = readers[number] ?? refuse('shape', number);
    const at = shape.next++;
    const instance: Record<string, unknown> = {};
    for (const { key, values, numbers } of shape.fields) {
      const value = numbers[at];
      check(value !== undefined && value >= OWN_ID && value < values.length, key, value);
      putOwn(instance, key, value === OWN_ID ? idOf(row) : values[value]);
    }
    return instance as unknown as ActionInstance;
  });
}

/** Freezes a JSON value through and through. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}
