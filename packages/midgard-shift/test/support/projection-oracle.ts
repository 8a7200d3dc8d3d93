import { applyTransaction, type MidgardState, type ProtocolParameters, planTransaction } from '../../src/index.js';

export { type MidgardState, nextShiftOf, operatorAt, type Shift, timetable } from '../../src/index.js';

/** The state after the next transition, taken unsigned and accepted by validation; without a scheduler when nobody is active. */
export function planNextForTest(state: MidgardState, parameters: ProtocolParameters): MidgardState {
  const plan = planTransaction(state, state.scheduler!.shiftStart, null, parameters);
  return plan.possible ? applyTransaction(state, plan.transaction, parameters) : { ...state, scheduler: null };
}
