import type { Column } from './columns.js';
import { KeptArrays } from './kept-arrays.js';

/** Whole numbers of a record: a cache line, so that one look at an action brings all of it. */
const RECORD = 16;
/** The same in doubles, which take two places each; `due` and `span` are the first two. */
const DOUBLES = RECORD / 2;
const MIN_ROWS = 4;

/** The places of the whole numbers, under the names of their columns. */
const PLACES = {
  status: 4,
  flags: 5,
  kind: 6,
  request: 7,
  firstRequest: 8,
  requestedAt: 9,
  started: 10,
  attempt: 11,
  lockStart: 12,
  lockCount: 13,
} as const;

/** The columns of the records, in the order of images. */
export const RECORD_COLUMNS = [
  'status',
  'flags',
  'due',
  'span',
  'kind',
  'request',
  'firstRequest',
  'requestedAt',
  'started',
  'attempt',
  'lockStart',
  'lockCount',
] as const;
export type RecordColumn = (typeof RECORD_COLUMNS)[number];

/** Those that change after an action was filled in. */
type MovingColumn = keyof typeof moving;
const moving = {
  status: new Uint8Array(0),
  due: new Float64Array(0),
  span: new Float64Array(0),
  request: new Int32Array(0),
  firstRequest: new Int32Array(0),
  requestedAt: new Int32Array(0),
  started: new Int32Array(0),
  attempt: new Int32Array(0),
  lockStart: new Int32Array(0),
  lockCount: new Int32Array(0),
};
const kept = new KeptArrays(moving);

/** A column of its type for this many rows. */
export function emptyColumn(name: RecordColumn, rows: number): Column {
  if (name === 'due' || name === 'span') return new Float64Array(rows);
  return name === 'status' || name === 'flags' ? new Uint8Array(rows) : new Int32Array(rows);
}

/**
 * The values of an action that the phases read and write, one record per row. Actions wait long and are then started and ended out of
 * order; in columns of their own these values would be a dozen cache misses.
 */
export class ActionRecords {
  count = 0;
  /** Rows from here on have never had another status than the first, and are as they were filled in. */
  touched = 0;
  #cells = new Int32Array(MIN_ROWS * RECORD);
  #doubles = new Float64Array(this.#cells.buffer);

  /** Makes room for `more` rows and returns the first of them; all their values are 0. */
  addMany(more: number): number {
    const first = this.count;
    this.count += more;
    if (this.#cells.length < this.count * RECORD) this.#resize(Math.max(this.count, 2 * first));
    return first;
  }

  #resize(rows: number): void {
    const cells = new Int32Array(rows * RECORD);
    cells.set(this.#cells.subarray(0, Math.min(this.#cells.length, cells.length)));
    this.#cells = cells;
    this.#doubles = new Float64Array(cells.buffer);
  }

  /** Its state, as a `Status`. */
  status(row: number): number {
    return this.#cells[row * RECORD + 4]!;
  }
  setStatus(row: number, status: number): void {
    this.#cells[row * RECORD + 4] = status;
    if (row >= this.touched) this.touched = row + 1;
  }

  /** Its properties, as bits of `Flag`. */
  flags(row: number): number {
    return this.#cells[row * RECORD + 5]!;
  }
  setFlags(row: number, flags: number): void {
    this.#cells[row * RECORD + 5] = flags;
  }

  /** The minute of its end, its resumption or its admission, depending on the status. */
  due(row: number): number {
    return this.#doubles[row * DOUBLES]!;
  }
  setDue(row: number, minute: number): void {
    this.#doubles[row * DOUBLES] = minute;
  }

  /** Before the first start the work in ten-thousandths of a minute, afterwards the remaining minutes. */
  span(row: number): number {
    return this.#doubles[row * DOUBLES + 1]!;
  }
  setSpan(row: number, span: number): void {
    this.#doubles[row * DOUBLES + 1] = span;
  }

  kind(row: number): number {
    return this.#cells[row * RECORD + 6]!;
  }
  setKind(row: number, kind: number): void {
    this.#cells[row * RECORD + 6] = kind;
  }

  /** The number of its latest request for locks. */
  request(row: number): number {
    return this.#cells[row * RECORD + 7]!;
  }
  setRequest(row: number, request: number): void {
    this.#cells[row * RECORD + 7] = request;
  }

  firstRequest(row: number): number {
    return this.#cells[row * RECORD + 8]!;
  }
  setFirstRequest(row: number, request: number): void {
    this.#cells[row * RECORD + 8] = request;
  }

  /** The minute of its latest request. */
  requestedAt(row: number): number {
    return this.#cells[row * RECORD + 9]!;
  }
  setRequestedAt(row: number, minute: number): void {
    this.#cells[row * RECORD + 9] = minute;
  }

  /** The number of its latest start. */
  started(row: number): number {
    return this.#cells[row * RECORD + 10]!;
  }
  setStarted(row: number, start: number): void {
    this.#cells[row * RECORD + 10] = start;
  }

  /** Starts so far. */
  attempt(row: number): number {
    return this.#cells[row * RECORD + 11]!;
  }
  setAttempt(row: number, attempt: number): void {
    this.#cells[row * RECORD + 11] = attempt;
  }

  /** Its first place in the pool of locks. */
  lockStart(row: number): number {
    return this.#cells[row * RECORD + 12]!;
  }
  setLockStart(row: number, place: number): void {
    this.#cells[row * RECORD + 12] = place;
  }

  lockCount(row: number): number {
    return this.#cells[row * RECORD + 13]!;
  }
  setLockCount(row: number, count: number): void {
    this.#cells[row * RECORD + 13] = count;
  }

  /** The values of the first `rows` rows under one name. */
  column(name: RecordColumn, rows: number): Column {
    const column = emptyColumn(name, rows);
    const { cells, first, step } = this.#stretch(name);
    for (let row = 0, at = first; row < rows; row++, at += step) column[row] = cells[at]!;
    return column;
  }

  /**
   * The changing values of the touched rows, under the names of the columns. All of it in one walk, because the records are large. The
   * arrays hold until the next call for any table.
   */
  movingColumns(): [MovingColumn, Column][] {
    const rows = this.touched;
    const cells = this.#cells;
    const doubles = this.#doubles;
    const status = kept.take('status', rows);
    const due = kept.take('due', rows);
    const span = kept.take('span', rows);
    const request = kept.take('request', rows);
    const firstRequest = kept.take('firstRequest', rows);
    const requestedAt = kept.take('requestedAt', rows);
    const started = kept.take('started', rows);
    const attempt = kept.take('attempt', rows);
    const lockStart = kept.take('lockStart', rows);
    const lockCount = kept.take('lockCount', rows);
    for (let row = 0; row < rows; row++) {
      const at = row * RECORD;
      due[row] = doubles[row * DOUBLES]!;
      span[row] = doubles[row * DOUBLES + 1]!;
      status[row] = cells[at + 4]!;
      request[row] = cells[at + 7]!;
      firstRequest[row] = cells[at + 8]!;
      requestedAt[row] = cells[at + 9]!;
      started[row] = cells[at + 10]!;
      attempt[row] = cells[at + 11]!;
      lockStart[row] = cells[at + 12]!;
      lockCount[row] = cells[at + 13]!;
    }
    const columns = { status, due, span, request, firstRequest, requestedAt, started, attempt, lockStart, lockCount };
    return Object.entries(columns) as [MovingColumn, Column][];
  }

  /** Puts values that `column` has returned into the rows from the first on. */
  setColumn(name: RecordColumn, values: ArrayLike<number>): void {
    if (name === 'status') for (let row = 0; row < values.length; row++) if (values[row] !== 0) this.touched = row + 1;
    const { cells, first, step } = this.#stretch(name);
    for (let row = 0, at = first; row < values.length; row++, at += step) cells[at] = values[row]!;
  }

  /** Where the values of one name lie. */
  #stretch(name: RecordColumn): { cells: Int32Array | Float64Array; first: number; step: number } {
    if (name === 'due' || name === 'span')
      return { cells: this.#doubles, first: name === 'due' ? 0 : 1, step: DOUBLES };
    return { cells: this.#cells, first: PLACES[name], step: RECORD };
  }

  protected copyRecords(from: ActionRecords): void {
    this.count = from.count;
    this.touched = from.touched;
    this.#cells = from.#cells.slice(0, Math.max(MIN_ROWS, from.count) * RECORD);
    this.#doubles = new Float64Array(this.#cells.buffer);
  }
}
