import { emptyColumn, RECORD_COLUMNS } from '../tables/action-records.js';
import { Status } from '../tables/action-table.js';
import type { Column } from '../tables/columns.js';
import { kindOf } from './packed-column.js';
import { check } from './snapshot-fault.js';
import type { StateImage } from './state-image.js';

/** Throws `InvalidSnapshot` unless every action of an image is in a state from which the engine can continue. */
export function checkActionColumns(image: StateImage): void {
  const { columns, still } = image;
  const rows = still.instances.length;
  for (const name of RECORD_COLUMNS) checkType(columns, `actions.${name}`, rows, emptyColumn(name, 0));
  checkType(columns, 'actions.name', rows, new Int32Array(0));
  checkType(columns, 'actions.priority', rows, new Float64Array(0));
  checkType(columns, 'actions.lock', null, new Int32Array(0));
  if (columns.has('actions.unit')) checkUnits(columns);
  checkType(columns, 'locks.name', null, new Int32Array(0));
  checkType(columns, 'locks.kind', columns.get('locks.name')!.length, new Uint8Array(0));
  checkType(columns, 'admittedNext', null, new Int32Array(0));
  for (const name of columns.get('locks.name')!) check(isIn(name, 0, still.names.length), 'locks.name', name);
  checkRows(image);
  checkLockPlaces(image);
  checkAdmitted(image);
}

function checkType(columns: StateImage['columns'], name: string, length: number | null, type: Column): void {
  const column = columns.get(name);
  check(column !== undefined && kindOf(column) === kindOf(type), 'columns', name);
  check(length === null || column.length === length, name, column.length);
}

function checkUnits(columns: StateImage['columns']): void {
  checkType(columns, 'actions.unit', columns.get('actions.lock')!.length, new Int32Array(0));
  for (const units of columns.get('actions.unit')!) check(units >= 1, 'actions.unit', units);
}

function checkRows({ columns, still, moving }: StateImage): void {
  const of = (name: string): Column => columns.get(`actions.${name}`)!;
  const [status, kind, name, due, span] = ['status', 'kind', 'name', 'due', 'span'].map(of);
  const [attempt, request, firstRequest, started] = ['attempt', 'request', 'firstRequest', 'started'].map(of);
  const [priority, requestedAt] = ['priority', 'requestedAt'].map(of);
  const { minute, next_request, next_start } = moving;
  const faulty = new Set(moving.faults.map(([row]) => row));
  const held = new Set(moving.agenda.held);
  for (let row = 0; row < still.instances.length; row++) {
    const state = status![row]!;
    check(state <= Status.rejected, 'actions.status', state);
    check(isIn(name![row]!, 0, still.names.length), 'actions.name', name![row]);
    check(isIn(kind![row]!, -1, still.kinds.length), 'actions.kind', kind![row]);
    check(Number.isFinite(priority![row]), 'actions.priority', priority![row]);
    check(isIn(request![row]!, 0, next_request + 1), 'actions.request', request![row]);
    check(isIn(firstRequest![row]!, 0, next_request + 1), 'actions.firstRequest', firstRequest![row]);
    check(isIn(started![row]!, 0, next_start + 1), 'actions.started', started![row]);
    check(attempt![row]! >= 0 && requestedAt![row]! <= minute, 'actions.attempt', attempt![row]);
    if (state === Status.rejected || state === Status.ended || state === Status.cancelled) continue;
    const hasKind = kind![row]! >= 0;
    check(hasKind || (state === Status.future && faulty.has(row)), 'actions.kind', kind![row]);
    check(Number.isInteger(span![row]) && span![row]! >= (hasKind ? 1 : 0), 'actions.span', span![row]);
    check(!held.has(row) || state === Status.future, 'held', row);
    const isPast = due![row]! < minute && state !== Status.waiting && !held.has(row);
    check(Number.isInteger(due![row]) && !isPast, 'actions.due', due![row]);
    const hasStarted = state === Status.running || state === Status.suspended;
    check(!hasStarted || attempt![row]! > 0, 'actions.attempt', attempt![row]);
  }
}

/** No two actions share a place of the pool, and no action has a lock twice. */
function checkLockPlaces({ columns, still }: StateImage): void {
  const lock = columns.get('actions.lock')!;
  const start = columns.get('actions.lockStart')!;
  const count = columns.get('actions.lockCount')!;
  const locks = columns.get('locks.name')!.length;
  const owned = new Uint8Array(lock.length);
  const lastRow = new Int32Array(locks).fill(-1);
  for (const one of lock) check(isIn(one, 0, locks), 'actions.lock', one);
  for (let row = 0; row < still.instances.length; row++) {
    const [from, to] = [start[row]!, start[row]! + count[row]!];
    check(from >= 0 && count[row]! >= 0 && to <= lock.length, 'actions.lockStart', from);
    for (let place = from; place < to; place++) {
      check(owned[place] === 0 && lastRow[lock[place]!] !== row, 'actions.lock', place);
      owned[place] = 1;
      lastRow[lock[place]!] = row;
    }
  }
}

/** Every action that is admitted next is listed once, and no other is. */
function checkAdmitted({ columns, still, moving }: StateImage): void {
  const status = columns.get('actions.status')!;
  const due = columns.get('actions.due')!;
  const held = new Set(moving.agenda.held);
  const isNext = (row: number): boolean => {
    return status[row] === Status.future && due[row] === moving.minute && !held.has(row);
  };
  const admitted = new Set(columns.get('admittedNext')!);
  check(admitted.size === columns.get('admittedNext')!.length, 'admittedNext', admitted.size);
  for (const row of admitted) check(isIn(row, 0, still.instances.length) && isNext(row), 'admittedNext', row);
  for (let row = 0; row < still.instances.length; row++) check(!isNext(row) || admitted.has(row), 'admittedNext', row);
}

function isIn(value: number, from: number, to: number): boolean {
  return value >= from && value < to;
}
