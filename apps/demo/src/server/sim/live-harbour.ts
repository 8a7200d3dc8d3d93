import { type ActionDef, type ActionInstance, createSimulation, type ScheduleEvent, type Simulation } from 'horae/sim';
import type { Random } from 'horae/time';
import type { LiveHarbour } from '../../wire/sim.js';
import type { Note } from '../overview/activity.js';
import { ganttLanes, lockNames } from './gantt-lanes.js';
import { viewOf } from './run-scenario.js';

/** A harbour that never ends: every real second is a minute of its day. */
export interface Harbour {
  /** One minute passes. */
  tick(): void;
  /** The holder of the lock is stopped for ten minutes. */
  interrupt(lock: string): void;
  snapshot(): LiveHarbour;
}

const START = '2025-07-01T06:00:00Z';
/** Then a new day begins with a new simulation, so that nothing grows without end. */
const MINUTES_A_DAY = 720;
const WINDOW = 75;
const ships = ['Aurora', 'Borealis', 'Castor', 'Doris', 'Electra', 'Fidelio', 'Galene', 'Halcyon'];
const crews = ['Mara', 'Jonas', 'Piet', 'Ronja'];
const defs: Readonly<Record<string, ActionDef>> = {
  tow: { base_duration_min: 14, interruptible: true, locks: ['tug'] },
  unload: { base_duration_min: 18, interruptible: true, locks: ['crane'] },
  refuel: { base_duration_min: 8, interruptible: true, locks: ['hose'] },
};

export function createHarbour(random: Random, note: Note): Harbour {
  let day = 0;
  let simulation: Simulation;
  let submitted: ActionInstance[] = [];
  let seen = 0;

  function dawn(): void {
    day += 1;
    submitted = [];
    seen = 0;
    const end = new Date(Date.parse(START) + 1440 * 60_000).toISOString();
    simulation = createSimulation({
      epoch: { index: day, start_at: START, end_at: end },
      action_defs: defs,
      actions_submitted: [],
    });
    // The page is interesting from its first second on.
    for (let minute = 0; minute < WINDOW; minute++) pass();
    seen = simulation.events().length;
  }

  function pass(): void {
    const t = simulation.t + 1;
    if (t % 5 === 0) {
      const ship = ships[random.below(ships.length)]!;
      const verb = ['tow', 'unload', 'refuel'][random.below(3)]!;
      const action = {
        id: `${verb} ${ship} ${t}`,
        actor: crews[random.below(crews.length)]!,
        verb,
        submitted_at: new Date(Date.parse(START) + t * 60_000).toISOString(),
      };
      submitted.push(action);
      simulation.submit(action);
    }
    simulation.runUntil(t);
  }

  dawn();
  return {
    tick() {
      if (simulation.t >= MINUTES_A_DAY) {
        dawn();
        note('sim', `day ${day} of the harbour begins`);
      }
      pass();
      const fresh = simulation.events({ since: seen });
      seen += fresh.length;
      for (const event of fresh) note('sim', words(event), event.type === 'end' ? 'good' : 'plain');
    },
    interrupt(lock) {
      const at = new Date(Date.parse(START) + (simulation.t + 1) * 60_000).toISOString();
      simulation.interrupt({ at, target: `lock:${lock}`, priority: 100, resume_after_min: 10, reason: 'by hand' });
    },
    snapshot() {
      const { t } = simulation;
      const from = Math.max(0, t - WINDOW + 15);
      const result = simulation.result();
      const isRecent = ({ pieces }: { pieces: readonly { to: number }[] }) => pieces.some(({ to }) => to > from);
      const lanes = ganttLanes(result, submitted, (verb) => lockNames(defs[verb]?.locks), t + 1).filter(isRecent);
      return { day, t, at: simulation.view().at, from, lanes: lanes.slice(-10), view: viewOf(simulation.view()) };
    },
  };
}

function words({ type, action_id }: ScheduleEvent): string {
  const verbs = {
    start: 'begins',
    end: 'is finished',
    interrupt: 'is interrupted',
    visibility_change: 'is noticed',
    cancel: 'is called off',
    outage: 'is down',
    restore: 'works again',
  };
  return `${action_id.replace(/ \d+$/, '')} ${verbs[type]}`;
}
