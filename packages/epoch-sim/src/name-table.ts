/** Names and their numbers. It only grows and a name keeps its number, so that branches of a simulation share one table. */
export class NameTable {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of `text`, given now if it has none yet. */
  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }

  /** The number of `text`, or -1. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }
}
