import type { CarryOver, EpochInput, Stock } from '../interchange/interchange.js';
import { ownValue, putOwn } from '../interchange/own-property.js';

/** The need of an action for one resource. */
export interface Need {
  readonly name: string;
  readonly amount: number;
  readonly returned: boolean;
}

/** The amount that an action adds to one resource. */
export interface Yield {
  readonly name: string;
  readonly amount: number;
}

/** No needs. */
export const NO_NEEDS: readonly Need[] = [];

/** Sums of decimal amounts without the dust of binary fractions: 0.3 - 0.1 is 0.2. */
export function plus(a: number, b: number): number {
  const sum = a + b;
  return Number.isSafeInteger(sum) ? sum : Number(sum.toPrecision(15));
}

/** Stocks by name, and what is reserved of them. */
export class ResourceTable {
  readonly #stocks: Map<string, Stock>;

  constructor(stocks: Map<string, Stock> = new Map()) {
    this.#stocks = stocks;
  }

  /** The stocks of a carry-over, and of the input only names that it lacks. Stocks that are not numbers >= 0 are left out. */
  static from(input: EpochInput['resources'], carried?: CarryOver['resources']): ResourceTable {
    const stocks = new Map<string, Stock>();
    for (const source of [carried, input]) {
      if (typeof source !== 'object' || source === null) continue;
      for (const name of Object.keys(source)) {
        const given = ownValue(source, name);
        const stock = typeof given === 'number' ? given : ownValue(given, 'stock');
        const reserved = ownValue(given, 'reserved') ?? 0;
        const max = ownValue(given, 'max');
        if (!stocks.has(name) && isAmount(stock) && isAmount(reserved))
          stocks.set(name, isAmount(max) ? { stock, reserved, max } : { stock, reserved });
      }
    }
    return new ResourceTable(stocks);
  }

  /** The first need that the stock cannot meet, or null. Needs of the same name add up. */
  shortage(needs: readonly Need[]): Need | null {
    const taken = new Map<string, number>();
    for (const need of needs) {
      const entry = this.#stocks.get(need.name);
      const wanted = plus(taken.get(need.name) ?? 0, need.amount);
      if (entry === undefined || !isAmount(need.amount) || plus(entry.stock, -entry.reserved) < wanted) return need;
      taken.set(need.name, wanted);
    }
    return null;
  }

  available(name: string): number | null {
    const entry = this.#stocks.get(name);
    return entry === undefined ? null : plus(entry.stock, -entry.reserved);
  }

  reserve(needs: readonly Need[]): void {
    for (const { name, amount } of needs) {
      const entry = this.#stocks.get(name)!;
      entry.reserved = plus(entry.reserved, amount);
    }
  }

  /** Ends a reservation; what is consumed leaves the stock, unless the action was cancelled. */
  settle(needs: readonly Need[], cancelled: boolean): void {
    for (const { name, amount, returned } of needs) {
      const entry = this.#stocks.get(name);
      if (entry === undefined) continue;
      entry.reserved = plus(entry.reserved, -amount);
      if (!returned && !cancelled) entry.stock = plus(entry.stock, -amount);
    }
  }

  /** Takes what an action uses up out of the stock, as if it had reserved it. */
  consume(needs: readonly Need[]): void {
    this.reserve(needs.filter(({ name }) => this.#stocks.has(name)));
    this.settle(needs, false);
  }

  stockOf(name: string): number {
    return this.#stocks.get(name)?.stock ?? 0;
  }

  /** Adds what an action has made, never above the maximum. A name that was unknown is known from then on. */
  produce(yields: readonly Yield[]): void {
    for (const { name, amount } of yields) {
      const entry = this.#stocks.get(name) ?? { stock: 0, reserved: 0 };
      this.#stocks.set(name, entry);
      const sum = plus(entry.stock, amount);
      entry.stock = entry.max === undefined ? sum : Math.max(entry.stock, Math.min(sum, entry.max));
    }
  }

  clone(): ResourceTable {
    return new ResourceTable(new Map([...this.#stocks].map(([name, stock]) => [name, { ...stock }])));
  }

  toRecord(): Record<string, Stock> {
    const record: Record<string, Stock> = {};
    for (const [name, stock] of this.#stocks) putOwn(record, name, { ...stock });
    return record;
  }
}

export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
