import { isUsableInterrupt } from '../engine/submit.js';
import { EVENT_TYPES, LOG_COLUMNS, OUTAGE, RESTORE } from '../tables/event-log.js';
import { checkActionColumns } from './check-columns.js';
import { kindOf } from './packed-column.js';
import { check } from './snapshot-fault.js';
import type { MovingPart, StateImage, StaticPart } from './state-image.js';

/** The last minute that the columns can hold. */
const LAST_MINUTE = 2 ** 31 - 2;

/**
 * Throws `InvalidSnapshot` unless everything in an image is of its type and every number leads to something that exists, so that
 * a state built from it cannot loop or break. It does not judge whether a simulation could have come to this state.
 */
export function checkImage(image: StateImage): void {
  const { still, moving } = image;
  checkStill(still);
  checkNumbers(moving);
  check(isRecord(moving.agenda) && Array.isArray(moving.agenda.held), 'agenda', moving.agenda);
  checkActionColumns(image);
  checkLog(image);
  checkLists(image);
}

function checkStill({ names, instances, kinds, kind_of, input }: StaticPart): void {
  list('names', names, (text) => typeof text === 'string');
  list('instances', instances, ({ id, actor }) => typeof id === 'string' && typeof (actor ?? '') === 'string');
  list('kinds', kinds, ({ verb, def }) => typeof verb === 'string' && isRecord(def));
  list('kind_of', kind_of, ([verb, kind]) => typeof verb === 'string' && isIndex(kind, kinds.length));
  check(isRecord(input), 'input', input);
}

function checkNumbers({ minute, next_request, next_start, options, before }: MovingPart): void {
  check(isIndex(minute, LAST_MINUTE + 2), 'minute', minute);
  for (const count of [next_request, next_start]) check(isIndex(count, 2 ** 31), 'next_request', count);
  check(isRecord(options), 'options', options);
  if (before === null) return;
  check(Number.isSafeInteger(before?.seq) && typeof before.hash === 'string', 'before', before);
  list('before.running', before.running, ({ id }) => typeof id === 'string');
}

function checkLog({ moving, columns, still }: StateImage): void {
  const of = (name: string) => columns.get(`log.${name}`);
  const length = of('type')?.length ?? -1;
  for (const [name, kind] of Object.entries(LOG_COLUMNS)) {
    const column = of(name);
    check(column !== undefined && column.length === length && kindOf(column) === kind, `log.${name}`, column?.length);
  }
  const locks = columns.get('locks.name')!.length;
  const [type, action, t] = ['type', 'action', 't'].map((name) => of(name)!);
  for (let i = 0; i < length; i++) {
    check(type![i]! < EVENT_TYPES.length, 'log.type', type![i]);
    const row = action![i]!;
    const isLock = type![i] === OUTAGE || type![i] === RESTORE;
    check(isIndex(isLock ? -1 - row : row, isLock ? locks : still.instances.length), 'log.action', row);
    check(t![i]! >= 0 && t![i]! <= moving.minute, 'log.t', t![i]);
  }
  list('notes', moving.notes, ([at, note]) => isIndex(at, length) && isRecord(note));
}

function checkLists({ moving, columns, still }: StateImage): void {
  const rows = still.instances.length;
  const locks = columns.get('locks.name')!.length;
  list('interrupts', moving.interrupts, ({ due, priority, given }) => {
    return Number.isInteger(due) && Number.isFinite(priority) && isUsableInterrupt(given);
  });
  list('reveals', moving.reveals, ({ due, row, meta }) => {
    return Number.isInteger(due) && isIndex(row, rows) && isRecord(meta);
  });
  list('held', moving.agenda?.held, (row) => isIndex(row, rows));
  list('dirty', moving.dirty, (lock) => isIndex(lock, locks));
  check(isRecord(moving.resources), 'resources', moving.resources);
  list('faults', moving.faults, ([row, { code, problem }]) => {
    return isIndex(row, rows) && typeof code === 'string' && typeof problem === 'string';
  });
  list('rejections', moving.rejections, ({ id, message }) => typeof id === 'string' && typeof message === 'string');
  list('ignored', moving.ignored, ({ target }) => typeof target === 'string');
  list('finished', moving.finished, (id) => typeof id === 'string');
}

/** A value that is not an item makes the test throw, which counts as a failure too. */
function list<Item>(field: string, items: readonly Item[], passes: (item: Item) => boolean): void {
  check(Array.isArray(items), field, items);
  for (const item of items) check(passes(item), field, item);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown, count: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
}
