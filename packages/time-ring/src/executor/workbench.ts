import type { Clock } from '@horae/clock-store';
import type { Handler } from '../handler.js';
import { type Assignment, failure, killed, type Outcome } from './assignment.js';
import { type HandlerRun, startHandler } from './run-handler.js';

/** What an executor does with a run that arrives. Nothing of it starts before `begin`; `cancel` gives the place back. */
export type Placement =
  | { readonly kind: 'refused'; readonly outcome: Outcome }
  | { readonly kind: 'running' | 'queued'; begin(): void; cancel(): void };

/** Told by the workbench. */
export interface WorkbenchEvents {
  /** A queued run's turn has come; false: it is not wanted any more. */
  starting(assignment: Assignment): Promise<boolean>;
  /** Once for every run that began, and for a queued one that is killed. */
  ended(assignment: Assignment, outcome: Outcome): void;
  logged(assignment: Assignment, line: string): void;
}

/** Where the runs of one executor are worked on: block strategies, time limits, kills. The same in process and behind HTTP. */
export interface Workbench {
  /** Finds a place for a run by its job's block strategy. */
  place(assignment: Assignment): Placement;
  /** Whether nothing of the job is here. */
  isIdle(jobId: number): boolean;
  has(runId: number): boolean;
  runsOf(jobId: number): readonly number[];
  /** Ends a run as killed. False: it is not here. */
  kill(runId: number, message: string): boolean;
  /** Ends every run that is being worked on as failed, and forgets the queued ones, which are given. */
  abortAll(message: string): readonly Assignment[];
  /** How many runs are here. */
  readonly size: number;
}

/** A run on the bench. It is its own placement: a thousand of them may come at once. */
class Place {
  /** `held`: waits for `begin`. */
  phase: 'held' | 'queued' | 'starting' | 'running' | 'over' = 'held';
  run: HandlerRun | null = null;
  /** Its neighbours among those of its job that have a place to work. */
  before: Place | null = null;
  after: Place | null = null;

  constructor(
    readonly kind: 'running' | 'queued',
    readonly assignment: Assignment,
    private readonly bench: { begin(place: Place): void; leave(place: Place): void },
  ) {}

  begin(): void {
    this.bench.begin(this);
  }

  cancel(): void {
    this.bench.leave(this);
  }
}

/** The runs of one job here: those that have a place to work, in a list of their own links, and those that wait for one. */
class Lane {
  size = 0;
  readonly waiting: Place[] = [];
  private first: Place | null = null;
  private last: Place | null = null;

  add(place: Place): void {
    place.before = this.last;
    if (this.last === null) this.first = place;
    else this.last.after = place;
    this.last = place;
    this.size += 1;
  }

  /** Nothing happens when it has no place to work. */
  delete(place: Place): void {
    if (place !== this.first && place.before === null) return;
    if (place.before === null) this.first = place.after;
    else place.before.after = place.after;
    if (place.after === null) this.last = place.before;
    else place.after.before = place.before;
    place.before = null;
    place.after = null;
    this.size -= 1;
  }

  /** In the order in which they got their places. */
  *working(): Generator<Place> {
    for (let place = this.first; place !== null; place = place.after) yield place;
  }
}

export interface WorkbenchOptions {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly clock: Clock;
  /** The most waiting runs of one job. */
  readonly queueLimit: number;
  readonly events: WorkbenchEvents;
}

export function createWorkbench({ handlers, clock, queueLimit, events }: WorkbenchOptions): Workbench {
  const lanes = new Map<number, Lane>();
  const places = new Map<number, Place>();
  const self = { begin, leave };

  function place(assignment: Assignment): Placement {
    const handler = Object.hasOwn(handlers, assignment.handler) ? handlers[assignment.handler] : undefined;
    if (handler === undefined) {
      return refusal(
        `No handler named "${assignment.handler}" on this executor: add it to createExecutor({ handlers })`,
      );
    }
    supersede(assignment);
    const lane = laneOf(assignment.jobId);
    if (lane.size > 0 && assignment.block === 'DISCARD')
      return refusal('Discarded: another run of the job is under way');
    const room = assignment.block === 'CONCURRENT' ? assignment.concurrency : 1;
    const waits = assignment.block !== 'COVER' && (lane.size >= room || lane.waiting.length > 0);
    if (waits && lane.waiting.length >= queueLimit) {
      return refusal(`Refused: ${queueLimit} runs of the job already wait here; raise queueLimit or slow the schedule`);
    }
    const held = new Place(waits ? 'queued' : 'running', assignment, self);
    places.set(assignment.runId, held);
    if (waits) lane.waiting.push(held);
    else lane.add(held);
    return held;
  }

  /** A run that its ring had lost and got back is worked on anew: what is left of it here cannot count any more. */
  function supersede({ runId, fence }: Assignment): void {
    const old = places.get(runId);
    if (old === undefined || fence === undefined || old.assignment.fence! >= fence) return;
    stop(old, failure('Given out again under a higher fence'));
  }

  function begin(held: Place): void {
    if (held.phase !== 'held') return;
    if (held.kind === 'queued') {
      held.phase = 'queued';
      moveUp(held.assignment.jobId);
      return;
    }
    if (held.assignment.block === 'COVER') cover(held);
    work(held);
  }

  /** Everything of the job that was there before gives way. */
  function cover(by: Place): void {
    const lane = laneOf(by.assignment.jobId);
    for (const other of [...lane.waiting, ...lane.working()]) {
      if (other !== by && other.phase !== 'held') stop(other, killed(`Covered by run ${by.assignment.runId}`));
    }
  }

  function work(place: Place): void {
    place.phase = 'running';
    const { assignment } = place;
    place.run = startHandler(handlers[assignment.handler]!, assignment, {
      clock,
      log: (line) => events.logged(assignment, line),
      ended: (outcome) => end(place, outcome),
    });
  }

  /** Ends a run from outside: its handler is told by its signal, and what it still says does not count. */
  function stop(place: Place, outcome: Outcome): void {
    place.run?.abort(outcome.message!);
    end(place, outcome);
  }

  function end(place: Place, outcome: Outcome): void {
    if (place.phase === 'over') return;
    place.phase = 'over';
    events.ended(place.assignment, outcome);
    leave(place);
  }

  function leave(place: Place): void {
    place.phase = 'over';
    const { jobId, runId } = place.assignment;
    const lane = laneOf(jobId);
    if (places.get(runId) === place) places.delete(runId);
    lane.delete(place);
    const waitsAt = lane.waiting.indexOf(place);
    if (waitsAt >= 0) lane.waiting.splice(waitsAt, 1);
    if (lane.size === 0 && lane.waiting.length === 0) lanes.delete(jobId);
    else moveUp(jobId);
  }

  /** Lets waiting runs begin, first come first served, as far as there is room. */
  function moveUp(jobId: number): void {
    const lane = lanes.get(jobId);
    while (lane !== undefined && lane.waiting.length > 0) {
      const next = lane.waiting[0]!;
      const room = next.assignment.block === 'CONCURRENT' ? next.assignment.concurrency : 1;
      if (next.phase !== 'queued' || lane.size >= room) return;
      lane.waiting.shift();
      lane.add(next);
      next.phase = 'starting';
      void events.starting(next.assignment).then((isWanted) => {
        if (next.phase !== 'starting') return;
        if (isWanted) work(next);
        else leave(next);
      });
    }
  }

  function laneOf(jobId: number): Lane {
    const known = lanes.get(jobId);
    if (known !== undefined) return known;
    const lane = new Lane();
    lanes.set(jobId, lane);
    return lane;
  }

  return {
    place,
    isIdle: (jobId) => !lanes.has(jobId),
    has: (runId) => places.has(runId),
    runsOf: (jobId) => [...(lanes.get(jobId)?.working() ?? []), ...(lanes.get(jobId)?.waiting ?? [])].map(idOf),
    kill(runId, message) {
      const place = places.get(runId);
      if (place === undefined) return false;
      stop(place, killed(message));
      return true;
    },
    abortAll(message) {
      const waiting: Assignment[] = [];
      for (const place of [...places.values()]) {
        if (place.phase === 'running') stop(place, failure(message));
        else {
          waiting.push(place.assignment);
          leave(place);
        }
      }
      return waiting;
    },
    get size() {
      return places.size;
    },
  };
}

function idOf(place: Place): number {
  return place.assignment.runId;
}

function refusal(message: string): Placement {
  return { kind: 'refused', outcome: failure(message) };
}
