import { checkArrival } from '../engine/arrival-sources.js';
import { isUsableCancellation } from '../engine/cancellations.js';
import { holdAgain } from '../engine/dependencies.js';
import type { ArrivalSource, EngineState, OutageSource, PendingCancellation, Repair } from '../engine/engine-state.js';
import { checkOutage } from '../engine/outages.js';
import type { Stock } from '../interchange/interchange.js';
import { check } from './snapshot-fault.js';

/** Everything to come besides actions, interrupts and reveals, as JSON; locks and actions are numbers. */
export interface AgendaImage {
  cancellations: PendingCancellation[];
  arrivals: ArrivalSource[];
  outages: OutageSource[];
  down: [number, Repair][];
  repairs: [number, number][];
  held: number[];
  listed: [number, number][];
  next_listed: number;
  cancelled_earlier: string[];
  rejected_verbs: string[];
  first_stocks: Record<string, Stock>;
}

export function agendaImage(state: EngineState): AgendaImage {
  return {
    cancellations: state.cancellations,
    arrivals: state.arrivals,
    outages: state.outages,
    down: [...state.down],
    repairs: [...state.repairs],
    held: [...state.held.keys()],
    listed: [...state.listed],
    next_listed: state.nextListed,
    cancelled_earlier: [...state.cancelledEarlier],
    rejected_verbs: state.rejectedVerbs,
    first_stocks: state.firstStocks,
  };
}

/** Takes an agenda over into a state whose actions and locks are known. Throws where something in it cannot be used. */
export function takeAgenda(state: EngineState, agenda: AgendaImage): void {
  const isMinute = (value: unknown): boolean => value === null || Number.isInteger(value);
  const isLock = (value: unknown): boolean => isCount(value) && (value as number) < state.locks.count;
  const { start } = state.rules.window;
  for (const { due, given } of agenda.cancellations)
    check(Number.isInteger(due) && isUsableCancellation(given), 'cancellations', due);
  for (const source of agenda.arrivals) {
    checkArrival(source.given, 'arrivals', start);
    check(isMinute(source.due) && isMinute(source.end) && Number.isInteger(source.origin), 'arrivals', source.due);
    check(isCount(source.next) && Number.isFinite(source.sum), 'arrivals', source.next);
  }
  for (const source of agenda.outages) {
    checkOutage(state, source.given, 'outages');
    check(isLock(source.lock) && isMinute(source.due) && isCount(source.draws), 'outages', source.lock);
    check(typeof source.key === 'string', 'outages', source.key);
  }
  for (const [lock, { due, by }] of agenda.down)
    check(isLock(lock) && (by === null ? Number.isInteger(due) : typeof by === 'string'), 'down', lock);
  for (const [lock, count] of agenda.repairs) check(isLock(lock) && isCount(count), 'repairs', lock);
  for (const [row, place] of agenda.listed) check(isCount(row) && Number.isInteger(place), 'listed', row);
  check(isCount(agenda.next_listed), 'next_listed', agenda.next_listed);
  for (const text of [...agenda.cancelled_earlier, ...agenda.rejected_verbs])
    check(typeof text === 'string', 'cancelled_earlier', text);
  check(agenda.rejected_verbs.length === state.rejections.length, 'rejected_verbs', agenda.rejected_verbs.length);
  fill(state, agenda);
}

function fill(state: EngineState, agenda: AgendaImage): void {
  state.cancellations = agenda.cancellations.slice();
  state.arrivals = agenda.arrivals.map((source) => ({ ...source }));
  state.outages = agenda.outages.map((source) => ({ ...source }));
  state.down = new Map(agenda.down);
  state.repairs = new Map(agenda.repairs);
  state.listed = new Map(agenda.listed);
  state.nextListed = agenda.next_listed;
  state.cancelledEarlier = new Set(agenda.cancelled_earlier);
  state.rejectedVerbs = agenda.rejected_verbs.slice();
  state.firstStocks = agenda.first_stocks;
  for (const row of agenda.held) holdAgain(state, row);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
