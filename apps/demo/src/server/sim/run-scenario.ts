import {
  createSimulation,
  type EpochResult,
  InvalidScenario,
  type LogRecord,
  loadScenario,
  replicate,
  type Scenario,
  type Simulation,
  type StateView,
} from 'horae/sim';
import type { LogLine, SimAnswer, SimChange, SimRefusal, SimReplication, SimRun, SimView } from '../../wire/sim.js';
import { arrived, mostOf, tooManyArrivals, withCappedArrivals } from './arrivals.js';
import { bounds, characters, cutMessage, cutName, firstNames, fitting } from './bounds.js';
import { ganttLanes, lockNames } from './gantt-lanes.js';
import { lockFigures } from './lock-figures.js';

export interface SimQuestion {
  readonly scenario: string;
  /** Interrupts besides those of the text. */
  readonly changes: readonly SimChange[];
  /** The further changes of the branch; null without a branch. */
  readonly branch: readonly SimChange[] | null;
}

const MAX_MINUTES = 3 * 24 * 60;
/** Runs of one replication; they are on a thread of their own. */
export const MAX_RUNS = 200;

/** Runs a scenario to its end and, beside it, the branch; compares the two. A faulty text is answered with all its faults. */
export function runScenarioText({ scenario: text, changes, branch }: SimQuestion): SimAnswer | SimRefusal {
  const scenario = tryLoad(text);
  if ('ok' in scenario) return scenario;
  const last = minutesOf(scenario);
  const main = simulationOf(scenario, changes).runUntil(last - 1);
  const result = main.result();
  const refusal = arrivalsProblem(scenario, result);
  if (refusal !== null) return refusal;
  const other = branch === null ? null : simulationOf(scenario, [...changes, ...branch]).runUntil(last - 1);
  return {
    ok: true,
    title: cutName(scenario.title ?? 'Untitled'),
    about: cutMessage(scenario.about ?? ''),
    pc: scenario.pc === undefined ? null : cutName(scenario.pc),
    main: runOf(scenario, result, last),
    branch: other === null ? null : runOf(scenario, other.result(), last),
    diff: other === null ? null : diffOf(main, other),
  };
}

/** Runs the minutes that the page shows many times with other seeds and estimates their figures. */
export async function replicateText(text: string, runs: number): Promise<SimReplication | SimRefusal> {
  const scenario = tryLoad(text);
  if ('ok' in scenario) return scenario;
  const minutes = minutesOf(scenario);
  const refusal = arrivalsProblem(
    scenario,
    simulationOf(scenario, [])
      .runUntil(minutes - 1)
      .result(),
  );
  if (refusal !== null) return refusal;
  const shown = { ...scenario, epoch: { ...scenario.epoch, end_at: minutes }, epochs: 1 };
  const { estimates } = await replicate(shown, { runs: Math.min(runs, MAX_RUNS), workers: 1 });
  const names = Object.keys(estimates).filter((name) => /\.(utilisation|queue_mean|wait\.mean|wait\.p90)$/.test(name));
  const figures = names.map((name) => {
    const { mean, low, high } = estimates[name]!;
    return { name: cutMessage(name), mean, low, high };
  });
  return { ok: true, runs, figures: fitting(figures, bounds.names, characters.figures) };
}

/** The world at minute `t`: running actions, waiting ones and their blockers, and the stocks. */
export function viewAt(text: string, changes: readonly SimChange[], t: number): SimView | SimRefusal {
  const scenario = tryLoad(text);
  if ('ok' in scenario) return scenario;
  const simulation = simulationOf(scenario, changes).runUntil(Math.min(t, minutesOf(scenario)));
  return arrivalsProblem(scenario, simulation.result()) ?? viewOf(simulation.view());
}

export function viewOf(view: StateView): SimView {
  return {
    t: view.t,
    at: view.at,
    running: firstNames(view.running),
    waiting: firstNames(view.waiting),
    suspended: firstNames(view.suspended),
    locks: firstEntries(view.locks).map(([name, { held_by, queue }]) => ({
      name,
      heldBy: held_by === null ? null : cutName(held_by),
      queue: firstNames(queue, bounds.queue),
    })),
    resources: firstEntries(view.resources).map(([name, { stock, reserved }]) => ({ name, stock, reserved })),
  };
}

function firstEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record)
    .slice(0, bounds.names)
    .map(([name, value]) => [cutName(name), value]);
}

function tryLoad(text: string): Scenario | SimRefusal {
  try {
    const scenario = loadScenario(text);
    const locks = (verb: string) => locksOf(scenario.action_defs, verb);
    return sizeProblem(scenario) ?? withCappedArrivals(scenario, locks);
  } catch (error) {
    if (!(error instanceof InvalidScenario)) throw error;
    const faults = error.details.faults.slice(0, 20).map((fault) => ({
      ...fault,
      path: cutMessage(fault.path),
      expected: cutMessage(fault.expected),
      received: cutMessage(fault.received),
    }));
    return { ok: false, faults };
  }
}

/** A scenario that would keep the server busy for minutes is refused before it is run. */
function sizeProblem(scenario: Scenario): SimRefusal | null {
  const { actions_submitted: actions, action_defs: defs } = scenario;
  const lists = { actions_submitted: bounds.actions, arrivals: bounds.sources, outages: bounds.sources } as const;
  for (const [path, most] of Object.entries(lists)) {
    const { length } = scenario[path as keyof typeof lists] ?? [];
    if (length > most) return tooLarge(path, `at most ${most} of them in the demo`, length);
  }
  const lockUses = actions.reduce((sum, { verb }) => sum + locksOf(defs, verb).length, 0);
  if (lockUses <= bounds.lockUses) return null;
  return tooLarge('action_defs', `at most ${bounds.lockUses} locks of all actions together in the demo`, lockUses);
}

/** A run in which a source has made more actions than the demo shows is refused. */
function arrivalsProblem(scenario: Scenario, result: EpochResult): SimRefusal | null {
  const locks = (verb: string) => locksOf(scenario.action_defs, verb);
  const source = tooManyArrivals(scenario, locks, result);
  if (source === null) return null;
  const most = mostOf(scenario.arrivals![source]!, locks);
  return tooLarge(`arrivals[${source}].every`, `at most ${most} arrivals of one source in the demo`, most + 1);
}

function tooLarge(path: string, expected: string, received: number): SimRefusal {
  return { ok: false, faults: [{ path, line: null, expected, received: String(received) }] };
}

function locksOf(defs: Scenario['action_defs'], verb: string): readonly string[] {
  return Object.hasOwn(defs, verb) ? lockNames(defs[verb]!.locks) : [];
}

/** Minutes that are shown: all epochs of the scenario, three days at most. */
function minutesOf({ epoch, epochs = 1 }: Scenario): number {
  const { start_at, end_at } = epoch;
  const minutes =
    typeof end_at === 'number'
      ? end_at
      : Math.round((Date.parse(asUtc(end_at)) - Date.parse(asUtc(start_at))) / 60_000);
  return Math.min(MAX_MINUTES, Math.max(1, minutes * epochs));
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
  const locks = (verb: string) => locksOf(scenario.action_defs, verb);
  const lanes = ganttLanes(result, [...scenario.actions_submitted, ...arrived(scenario, result)], locks, minutes);
  const shown = fitting(lanes, bounds.lanes, characters.lanes);
  return {
    minutes,
    figures: lockFigures(result),
    startAt: asUtc(scenario.epoch.start_at),
    lanes: shown,
    hiddenLanes: lanes.length - shown.length,
    worldLog: linesOf(result.logs.world_log),
    pcLog: linesOf(result.logs.pc_log),
    rejections: fitting(
      result.rejections
        .slice(0, bounds.messages)
        .map(({ id, message }) => ({ id: cutName(id), message: cutMessage(message) })),
      bounds.messages,
      characters.rejections,
    ),
    ignored: fitting(
      result.ignored_interrupts
        .slice(0, bounds.messages)
        .map(({ target, reason }) => ({ target: cutName(target), reason })),
      bounds.messages,
      characters.ignored,
    ),
  };
}

function linesOf(records: readonly LogRecord[]): LogLine[] {
  const lines = records
    .slice(0, bounds.logLines)
    .map(({ t, at, type, action_id, hash }) => ({ t, at, type, action: cutName(action_id), hash }));
  return fitting(lines, bounds.logLines, characters.log);
}

function diffOf(main: Simulation, other: Simulation): NonNullable<SimAnswer['diff']> {
  const { first_divergence, only_here, only_there } = main.diff(other);
  const words = (event: { type: string; action_id: string; t: number } | null | undefined) =>
    event == null ? null : `${event.type} ${cutName(event.action_id)} at minute ${event.t}`;
  return {
    firstAt: first_divergence?.t ?? null,
    here: words(first_divergence?.here),
    there: words(first_divergence?.there),
    onlyHere: only_here.length,
    onlyThere: only_there.length,
  };
}
