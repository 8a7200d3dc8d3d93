import { TouchedKeys } from '../check/touched-keys.js';
import { assertAddable, type World } from '../check/world.js';
import { keysIntersect } from '../footprint/collision.js';
import { isPathKey } from '../keys/path-keys.js';
import { type Access, AccessLog, accessText } from './access-log.js';

/** A change by a run, applied to the world when the run has proved valid. */
type Change = Access & { readonly mode: 'write' | 'add'; readonly value: unknown };

/**
 * One attempt at one rewrite. It reads the world as it is and keeps its changes to itself; its own writes it does see. A run that has
 * its turn, with everything before it done, works on the world itself instead.
 */
export class SpeculativeRun {
  /** The keys it has read from the world: if an earlier rewrite changes any of it, the run does not count. */
  readonly reads = new AccessLog();
  readonly changed = new AccessLog();
  readonly touched = new TouchedKeys();
  /** The run read the result of its own changes, which only the world can compute. */
  needsTurn = false;
  private readonly changes: Change[] = [];
  /** Its own writes that nothing of its own has changed since. */
  private readonly written = new Map<string, Change>();

  constructor(
    private readonly world: World,
    readonly hasTurn: boolean,
  ) {}

  /** The world as the run sees it. It has `add` if the world has it. */
  view(): World {
    const view: World = {
      read: (category, key) => {
        const access = { category, key: this.touched.note('read', category, key) };
        return this.hasTurn ? this.world.read(category, key) : this.read(access);
      },
      write: (category, key, value) =>
        this.change('write', { category, key: this.touched.note('write', category, key) }, value),
    };
    if (this.world.add === undefined) return view;
    return {
      ...view,
      add: (category, key, delta) => {
        assertAddable(category);
        this.change('add', { category, key: this.touched.note('add', category, key) }, delta);
      },
    };
  }

  /** Makes the changes real, in the order in which they were made. */
  apply(): void {
    for (const { mode, category, key, value } of this.changes) this.perform(mode, { category, key }, value);
  }

  private read(access: Access): unknown {
    const text = accessText(access);
    const own = this.written.get(text);
    if (own !== undefined) return own.value;
    if (this.changed.has(text) || this.changed.reaches(access)) {
      this.needsTurn = true;
      throw new Error(
        'The run is repeated when its turn has come: it reads what its own adds or wide writes have changed',
      );
    }
    this.reads.note(text, access);
    return this.world.read(access.category, access.key);
  }

  private change(mode: 'write' | 'add', access: Access, value: unknown): void {
    const text = accessText(access);
    this.changed.note(text, access);
    if (this.hasTurn) {
      this.perform(mode, access, value);
      return;
    }
    const change = { ...access, mode, value };
    this.changes.push(change);
    this.forgetWritten(text, access);
    if (mode === 'write') this.written.set(text, change);
  }

  private forgetWritten(text: string, { category, key }: Access): void {
    this.written.delete(text);
    if (!isPathKey(key)) return;
    for (const [other, write] of this.written) {
      if (write.category === category && keysIntersect(category, write.key, key)) this.written.delete(other);
    }
  }

  private perform(mode: 'write' | 'add', { category, key }: Access, value: unknown): void {
    if (mode === 'write') this.world.write(category, key, value);
    else this.world.add!(category, key, value);
  }
}
