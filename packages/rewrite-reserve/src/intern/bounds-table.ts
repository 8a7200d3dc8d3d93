import type { Segment } from '../keys/resource-keys.js';
import type { Bounds } from './compiled-uses.js';
import { ResourceTable } from './resource-table.js';

// The forms of a bound: none, a number or a text. A header is the form of `from` * 3 + that of `to`.
const OPEN = 0;
const NUMBER = 1;
const TEXT = 2;
const FORMS = 3;

/** Numbers the bounds of ranges 0, 1, 2, ..., so that one word names them; the same bounds always have the same number. */
export class BoundsTable {
  private readonly table = new ResourceTable(() => false);
  private readonly list: Bounds[] = [];

  /** `text` numbers the segments that are texts. */
  constructor(private readonly text: (segment: string) => number) {}

  numberOf({ from, to }: Bounds): number {
    const number = this.table.ofWords(formOf(from) * FORMS + formOf(to), this.payload(from), this.payload(to));
    if (number === this.list.length) this.list.push({ from, to });
    return number;
  }

  /** The bounds that have this number. */
  at(number: number): Bounds {
    return this.list[number]!;
  }

  private payload(segment: Segment | undefined): number {
    return typeof segment === 'string' ? this.text(segment) : (segment ?? 0);
  }
}

function formOf(segment: Segment | undefined): number {
  if (segment === undefined) return OPEN;
  return typeof segment === 'number' ? NUMBER : TEXT;
}
