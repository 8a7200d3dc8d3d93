import { byCodeUnit } from '../engine/action-kind.js';
import { scheduleCancellations } from '../engine/cancellations.js';
import { holdAgain } from '../engine/dependencies.js';
import type { EngineState } from '../engine/engine-state.js';
import { addRow } from '../engine/submit.js';
import type { CarryOver } from '../interchange/interchange.js';
import { Flag, Status } from '../tables/action-table.js';
import { CANCEL } from '../tables/event-log.js';

type Agenda = Pick<CarryOver, 'held' | 'cancellations' | 'arrivals' | 'outages' | 'down' | 'repairs' | 'cancelled'>;

/** Everything to come besides actions and interrupts, relative to the current minute; empty parts are left out. */
export function carriedAgenda(state: EngineState): Agenda {
  const { actions, minute } = state;
  const inMinutes = (due: number | null): number | null => (due === null ? null : due - minute);
  const agenda: Required<Agenda> = {
    held: [...state.held.keys()].map((row) => ({
      id: state.idOf(row),
      action: actions.instances[row]!,
      follow_up: (actions.flags(row) & Flag.followUp) !== 0,
      listed: state.listed.get(row) ?? -1,
    })),
    cancellations: state.cancellations.map(({ due, given }) => ({ ...given, due_in: due - minute })),
    arrivals: state.arrivals.map(({ given, next, due, origin, end, sum }) => ({
      given,
      next,
      due_in: inMinutes(due),
      origin_in: origin - minute,
      end_in: inMinutes(end),
      sum,
    })),
    outages: state.outages.map(({ given, key, draws, due }) => ({ given, key, draws, due_in: inMinutes(due) })),
    down: [...state.down].map(([lock, { due, by }]) => {
      return { lock: state.lockName(lock), repair_in: inMinutes(due), repaired_by: by };
    }),
    repairs: Object.fromEntries([...state.repairs].map(([lock, count]) => [state.lockName(lock), count])),
    cancelled: cancelledIds(state),
  };
  return Object.fromEntries(Object.entries(agenda).filter(([, part]) => Object.keys(part).length > 0));
}

/** Actions that come after a cancelled one need its fate; without such actions it is not needed. */
function cancelledIds(state: EngineState): string[] {
  const { actions } = state;
  const ids = [...state.cancelledEarlier];
  if (!state.log.type.includes(CANCEL) && state.listed.size === 0) return ids;
  for (let row = 0; row < actions.count; row++) if (actions.status(row) === Status.cancelled) ids.push(state.idOf(row));
  return ids.sort(byCodeUnit);
}

/** Puts the agenda back, as of the current minute. Actions that are carried or to come are known already. */
export function readAgenda(state: EngineState, agenda: Agenda): void {
  const { minute } = state;
  const inMinutes = (due_in: number | null): number | null => (due_in === null ? null : minute + due_in);
  for (const { given, next, due_in, origin_in, end_in, sum } of agenda.arrivals ?? []) {
    const [origin, end] = [minute + origin_in, inMinutes(end_in)];
    state.arrivals.push({ given, next, due: inMinutes(due_in), origin, end, sum });
  }
  for (const { given, key, draws, due_in } of agenda.outages ?? [])
    state.outages.push({ given, key, draws, due: inMinutes(due_in), lock: state.lockNumber(given.lock) });
  for (const { lock, repair_in, repaired_by } of agenda.down ?? []) {
    const number = state.lockNumber(lock);
    state.down.set(number, { due: inMinutes(repair_in), by: repaired_by });
    state.locks.setDown(number);
  }
  for (const [lock, count] of Object.entries(agenda.repairs ?? {})) state.repairs.set(state.lockNumber(lock), count);
  for (const id of agenda.cancelled ?? []) state.cancelledEarlier.add(id);
  scheduleCancellations(state, agenda.cancellations);
  const held = (agenda.held ?? []).map(({ action, follow_up, listed }) => {
    const row = addRow(state, action, minute, follow_up ? Flag.followUp : 0);
    state.listed.set(row, listed);
    state.setRow(state.actions.name[row]!, row);
    return row;
  });
  for (const row of held) holdAgain(state, row);
}
