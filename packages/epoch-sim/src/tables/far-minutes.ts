import { RemovedItems } from './removed-items.js';

/** Minutes that are kept together while they are far away. */
export const PAGE = 512;

interface Page {
  items: number[];
  dues: number[];
  removed: RemovedItems | undefined;
}

/** Items that are due too late for the ring of a calendar: by page, each page in the order of arrival. */
export class FarMinutes {
  readonly #pages = new Map<number, Page>();
  /** The first minute that has an item; NaN when it has to be looked for. */
  #soonest = Number.POSITIVE_INFINITY;

  put(item: number, due: number): void {
    const number = Math.floor(due / PAGE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = { items: [], dues: [], removed: undefined };
      this.#pages.set(number, page);
    }
    // Not a number stays not a number: what is unknown does not become known by one more item.
    this.#soonest = Math.min(this.#soonest, due);
    page.items.push(item);
    page.dues.push(due);
  }

  remove(item: number, due: number): void {
    const number = Math.floor(due / PAGE);
    const page = this.#pages.get(number)!;
    page.removed ??= new RemovedItems();
    page.removed.add(item);
    if (page.removed.total === page.items.length) this.#pages.delete(number);
    if (due === this.#soonest) this.#soonest = Number.NaN;
  }

  /** Empties a page and returns its items in their order. */
  release(number: number): [item: number, due: number][] {
    const entries = this.#entries(number);
    if (this.#pages.delete(number)) this.#soonest = Number.NaN;
    return entries;
  }

  /** The first minute that has an item, or Infinity. */
  soonest(): number {
    if (!Number.isNaN(this.#soonest)) return this.#soonest;
    let first = Number.POSITIVE_INFINITY;
    for (const number of this.#pages.keys()) first = Math.min(first, number);
    let soonest = Number.POSITIVE_INFINITY;
    for (const [, due] of this.#entries(first)) soonest = Math.min(soonest, due);
    this.#soonest = soonest;
    return soonest;
  }

  /** The items of one minute in their order. */
  itemsOf(minute: number): number[] {
    const entries = this.#entries(Math.floor(minute / PAGE));
    return entries.filter(([, due]) => due === minute).map(([item]) => item);
  }

  /** Every item, by page. */
  items(): number[] {
    return [...this.#pages.keys()].flatMap((number) => this.#entries(number).map(([item]) => item));
  }

  #entries(number: number): [item: number, due: number][] {
    const { items, dues, removed } = this.#pages.get(number) ?? { items: [], dues: [], removed: undefined };
    const entries = items.map((item, i): [number, number] => [item, dues[i]!]);
    const counts = removed?.filter();
    return counts === undefined ? entries : entries.filter(([item]) => counts(item));
  }

  clone(): FarMinutes {
    const copy = new FarMinutes();
    copy.#soonest = this.#soonest;
    for (const [number, { items, dues, removed }] of this.#pages)
      copy.#pages.set(number, { items: items.slice(), dues: dues.slice(), removed: removed?.clone() });
    return copy;
  }
}
