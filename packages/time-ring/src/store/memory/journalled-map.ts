/** Undoes recorded changes, last first. */
export class Journal {
  private undo: (() => void)[] = [];

  note(undo: () => void): void {
    this.undo.push(undo);
  }

  commit(): void {
    this.undo = [];
  }

  rollBack(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo = [];
  }
}

/** A map whose changes can be undone. */
export class JournalledMap<K, V> {
  private readonly rows = new Map<K, V>();

  constructor(private readonly journal: Journal) {}

  get size(): number {
    return this.rows.size;
  }

  get(key: K): V | undefined {
    return this.rows.get(key);
  }

  has(key: K): boolean {
    return this.rows.has(key);
  }

  values(): V[] {
    return [...this.rows.values()];
  }

  set(key: K, value: V): void {
    const before = this.rows.get(key);
    const wasThere = this.rows.has(key);
    this.journal.note(() => (wasThere ? this.rows.set(key, before as V) : this.rows.delete(key)));
    this.rows.set(key, value);
  }

  delete(key: K): void {
    if (!this.rows.has(key)) return;
    const before = this.rows.get(key) as V;
    this.journal.note(() => this.rows.set(key, before));
    this.rows.delete(key);
  }
}

/** A copy of a stored value, so that callers cannot change what is stored. */
export function copy<T>(value: T): T {
  return structuredClone(value);
}
