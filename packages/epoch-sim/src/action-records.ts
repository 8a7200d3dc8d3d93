/** Whole numbers of a record: a cache line, so that one look at an action brings all of it. */
const RECORD = 16;
/** The same in doubles, which take two places each; `due` and `span` are the first two. */
const DOUBLES = RECORD / 2;
const LEAST_ROWS = 4;

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

/**
 * What the phases read and write of an action, one record for each row. Actions wait long and are then started and ended
 * out of order; in columns of their own these values would be a dozen cache misses.
 */
export class ActionRecords {
  count = 0;
  #cells = new Int32Array(LEAST_ROWS * RECORD);
  #doubles = new Float64Array(this.#cells.buffer);

  /** Makes room for `more` rows and gives the first of them; all their values are 0. */
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

  /** Where it stands, as a `Status`. */
  status(row: number): number {
    return this.#cells[row * RECORD + 4]!;
  }
  setStatus(row: number, status: number): void {
    this.#cells[row * RECORD + 4] = status;
  }

  /** What is true of it, as bits of `Flag`. */
  flags(row: number): number {
    return this.#cells[row * RECORD + 5]!;
  }
  setFlags(row: number, flags: number): void {
    this.#cells[row * RECORD + 5] = flags;
  }

  /** The minute of its end, its resumption or its admission, whichever the status says. */
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
  column(name: RecordColumn, rows: number): Uint8Array | Int32Array | Float64Array {
    if (name === 'due' || name === 'span') {
      const from = name === 'due' ? 0 : 1;
      return Float64Array.from({ length: rows }, (_, row) => this.#doubles[row * DOUBLES + from]!);
    }
    const column = name === 'status' || name === 'flags' ? new Uint8Array(rows) : new Int32Array(rows);
    const cells = this.#cells;
    for (let row = 0, at = PLACES[name]; row < rows; row++, at += RECORD) column[row] = cells[at]!;
    return column;
  }

  /** Puts values that `column` has given into the rows from the first on. */
  setColumn(name: RecordColumn, values: ArrayLike<number>): void {
    const isDouble = name === 'due' || name === 'span';
    const cells = isDouble ? this.#doubles : this.#cells;
    const step = isDouble ? DOUBLES : RECORD;
    const first = name === 'due' ? 0 : name === 'span' ? 1 : PLACES[name];
    for (let row = 0, at = first; row < values.length; row++, at += step) cells[at] = values[row]!;
  }

  protected copyRecords(from: ActionRecords): void {
    this.count = from.count;
    this.#cells = from.#cells.slice(0, Math.max(LEAST_ROWS, from.count) * RECORD);
    this.#doubles = new Float64Array(this.#cells.buffer);
  }
}
