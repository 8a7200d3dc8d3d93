import {
  createSimulation,
  type EpochResult,
  InvalidScenario,
  type LogRecord,
  loadScenario,
  type Scenario,
  type Simulation,
  type StateView,
} from 'horae/sim';
import type { LogLine, SimAnswer, SimChange, SimRefusal, SimRun, SimView } from '../../wire/sim.js';
import { ganttLanes } from './gantt-lanes.js';

export interface SimQuestion {
  readonly scenario: string;
  /** Interrupts besides those of the text. */
  readonly changes: readonly SimChange[];
  /** What the branch changes besides; null without a branch. */
  readonly branch: readonly SimChange[] | null;
}

const MOST_MINUTES = 3 * 24 * 60;
const SHOWN_LOG = 400;

/** Runs a scenario to its end and, beside it, the branch; compares the two. A faulty text is answered with all its faults. */
export function runScenarioText({ scenario: text, changes, branch }: SimQuestion): SimAnswer | SimRefusal {
  const scenario = tryLoad(text);
  if ('ok' in scenario) return scenario;
  const last = minutesOf(scenario);
  const main = simulationOf(scenario, changes).runUntil(last - 1);
  const other = branch === null ? null : simulationOf(scenario, [...changes, ...branch]).runUntil(last - 1);
  return {
    ok: true,
    title: scenario.title ?? 'Untitled',
    about: scenario.about ?? '',
    pc: scenario.pc ?? null,
    main: runOf(scenario, main.result(), last),
    branch: other === null ? null : runOf(scenario, other.result(), last),
    diff: other === null ? null : diffOf(main, other),
  };
}

/** The world at minute `t`: who runs, who waits for whom, what is in stock. */
export function viewAt(text: string, changes: readonly SimChange[], t: number): SimView | SimRefusal {
  const scenario = tryLoad(text);
  if ('ok' in scenario) return scenario;
  return viewOf(
    simulationOf(scenario, changes)
      .runUntil(Math.min(t, minutesOf(scenario)))
      .view(),
  );
}

export function viewOf(view: StateView): SimView {
  return {
    t: view.t,
    at: view.at,
    running: view.running,
    waiting: view.waiting,
    suspended: view.suspended,
    locks: Object.entries(view.locks).map(([name, { held_by, queue }]) => ({ name, heldBy: held_by, queue })),
    resources: Object.entries(view.resources).map(([name, { stock, reserved }]) => ({ name, stock, reserved })),
  };
}

function tryLoad(text: string): Scenario | SimRefusal {
  try {
    return loadScenario(text);
  } catch (error) {
    if (!(error instanceof InvalidScenario)) throw error;
    return { ok: false, faults: error.details.faults.slice(0, 20) };
  }
}

/** Minutes that are shown: all epochs of the scenario, three days at most. */
function minutesOf({ epoch, epochs = 1 }: Scenario): number {
  const minutes = Math.round((Date.parse(asUtc(epoch.end_at)) - Date.parse(asUtc(epoch.start_at))) / 60_000);
  return Math.min(MOST_MINUTES, Math.max(1, minutes * epochs));
}

function simulationOf(scenario: Scenario, changes: readonly SimChange[]): Simulation {
  const { title: _title, about: _about, epochs: _epochs, options, ...input } = scenario;
  const simulation = createSimulation(input, options);
  const start = Date.parse(asUtc(scenario.epoch.start_at));
  return simulation.interrupt(
    changes.map(({ t, target, resumeAfterMin }) => ({
      at: new Date(start + t * 60_000).toISOString(),
      target,
      priority: 100,
      resume_after_min: resumeAfterMin,
      reason: 'by hand',
    })),
  );
}

/** Scenario times without an offset are UTC. */
function asUtc(time: string): string {
  return /Z|[+-]\d\d:?\d\d$/.test(time) ? time : `${time}Z`;
}

function runOf(scenario: Scenario, result: EpochResult, minutes: number): SimRun {
  const defs = scenario.action_defs;
  const locksOf = (verb: string) => (Object.hasOwn(defs, verb) ? (defs[verb]!.locks ?? []) : []);
  return {
    minutes,
    startAt: asUtc(scenario.epoch.start_at),
    lanes: ganttLanes(result, scenario.actions_submitted, locksOf, minutes),
    worldLog: linesOf(result.logs.world_log),
    pcLog: linesOf(result.logs.pc_log),
    rejections: result.rejections.map(({ id, message }) => ({ id, message })),
    ignored: result.ignored_interrupts.map(({ target, reason }) => ({ target, reason })),
  };
}

function linesOf(records: readonly LogRecord[]): LogLine[] {
  return records
    .slice(0, SHOWN_LOG)
    .map(({ t, at, type, action_id, hash }) => ({ t, at, type, action: action_id, hash }));
}

function diffOf(main: Simulation, other: Simulation): NonNullable<SimAnswer['diff']> {
  const { first_divergence, only_here, only_there } = main.diff(other);
  const words = (event: { type: string; action_id: string; t: number } | null | undefined) =>
    event == null ? null : `${event.type} ${event.action_id} at minute ${event.t}`;
  return {
    firstAt: first_divergence?.t ?? null,
    here: words(first_divergence?.here),
    there: words(first_divergence?.there),
    onlyHere: only_here.length,
    onlyThere: only_there.length,
  };
}
