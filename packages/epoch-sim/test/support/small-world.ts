import type { ActionDef, ActionInstance, EpochInput, EpochResult } from '../../src/index.js';

/** `08:05` of the day that the stories play on. */
export const at = (clock: string, day = '2025-07-01'): string => `${day}T${clock}:00`;

/** A day from 08:00 with the given definitions and actions. */
export function world(
  action_defs: Record<string, ActionDef>,
  actions: (Partial<ActionInstance> & { id: string; verb: string; at: string })[],
  more: Partial<EpochInput> = {},
): EpochInput {
  return {
    epoch: { index: 0, start_at: at('08:00'), end_at: at('08:00', '2025-07-02') },
    action_defs,
    actions_submitted: actions.map(({ at: clock, ...rest }) => ({
      actor: 'Ann',
      params: {},
      submitted_at: at(clock),
      ...rest,
    })),
    ...more,
  };
}

/** Events as short lines: `08:05 start A1`. */
export function lines(result: Pick<EpochResult, 'schedule_events'>): string[] {
  return result.schedule_events.map(({ type, action_id, at: iso }) => `${iso.slice(11, 16)} ${type} ${action_id}`);
}
