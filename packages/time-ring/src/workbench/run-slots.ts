import type { Clock } from '@horae/clock-store';
import type { Handler } from '../model/handler.js';
import type { BlockStrategy } from '../model/job.js';
import { type Assignment, discarded, failure, killed, type Outcome } from './assignment.js';
import type { ExecutorRing } from './executor-ring.js';
import { Lane } from './lane.js';
import { startHandler } from './run-handler.js';
import type { RunTracing } from './run-tracing.js';
import { type Bench, type RunSlotsEvents, Slot } from './slot.js';

/** The decision of an executor about an arriving run. Nothing starts before `begin`; `cancel` frees the slot. */
export type Placement =
  | { readonly kind: 'refused'; readonly why: 'handler' | 'slot' | 'discarded'; readonly outcome: Outcome }
  | { readonly kind: 'running' | 'queued'; begin(): void; cancel(): void };

/** Executes the runs of one executor, with block strategies, time limits and kills. The same in process and behind HTTP. */
export interface RunSlots {
  /** Places a run by its job's block strategy. */
  place(assignment: Assignment): Placement;
  /** How many more runs of a job would be accepted. */
  room(job: { readonly id: number; readonly block: BlockStrategy; readonly concurrency: number }): number;
  /** Whether the executor has no run of the job. */
  isIdle(jobId: number): boolean;
  has(runId: number): boolean;
  runsOf(jobId: number): readonly number[];
  /** Ends a run as killed. False: the executor does not have it. */
  kill(runId: number, message: string): boolean;
  /** Ends every running run as failed; removes and returns the queued ones. */
  abortAll(message: string): readonly Assignment[];
  /** Aborts the running handlers; removes and returns all runs. Later output of their handlers is ignored. */
  releaseAll(message: string): readonly Assignment[];
  /** How many runs the executor has. */
  readonly size: number;
}

/** The default number of concurrent runs per executor. */
const CONCURRENCY = 100;

export interface RunSlotsOptions {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly clock: Clock;
  /** The part of the ring available to handlers. */
  readonly ring: ExecutorRing;
  /** The maximum number of waiting runs per job. */
  readonly queueLimit: number;
  /**
   * How many runs of all jobs execute concurrently; further runs are queued. Null: 100, which a burst may exceed. Its handlers are still
   * called 100 at a time, without a write for each: most end almost at once.
   */
  readonly concurrency: number | null;
  readonly events: RunSlotsEvents;
  /** The current tracing of the runs; none when omitted. */
  readonly tracing?: () => RunTracing | null;
}

export function createRunSlots(options: RunSlotsOptions): RunSlots {
  const { handlers, clock, ring, queueLimit, concurrency: most, events, tracing = () => null } = options;
  const lanes = new Map<number, Lane>();
  const places = new Map<number, Slot>();
  const concurrency = most ?? CONCURRENCY;
  /** Runs that have a slot, and those of them whose handlers have been called. */
  let working = 0;
  let called = 0;
  const gate: Slot[] = [];
  /** Jobs with runs that wait although the job's own slots are free, the longest waiting first. */
  const crowded = new Set<number>();
  const self: Bench = { clock, ring, events, begin, end, leave };

  function place(assignment: Assignment): Placement {
    const handler = Object.hasOwn(handlers, assignment.handler) ? handlers[assignment.handler] : undefined;
    if (handler === undefined) {
      return refusal(
        'handler',
        `No handler named "${assignment.handler}" on this executor: add it to createExecutor({ handlers })`,
      );
    }
    supersede(assignment);
    const lane = laneOf(assignment.jobId);
    if (lane.size + lane.waiting.length > 0 && assignment.block === 'DISCARD') {
      return { kind: 'refused', why: 'discarded', outcome: discarded() };
    }
    const isCovering = assignment.block === 'COVER' && lane.size > 0;
    const waits =
      !isCovering &&
      (lane.size >= slotsOf(assignment) ||
        lane.waiting.length > 0 ||
        (most === null ? called : working) >= concurrency);
    if (waits && lane.waiting.length >= queueLimit) {
      return refusal(
        'slot',
        `Refused: ${queueLimit} runs of the job already wait here; raise queueLimit or slow the schedule`,
      );
    }
    const held = new Slot(waits ? 'queued' : 'running', assignment, self);
    places.set(assignment.runId, held);
    if (waits) lane.waiting.push(held);
    else occupy(lane, held);
    return held;
  }

  function occupy(lane: Lane, place: Slot): void {
    lane.add(place);
    working += 1;
  }

  /** A run that its ring had lost and taken again starts over: the remains of the earlier one are no longer valid. */
  function supersede({ runId, fence }: Assignment): void {
    const old = places.get(runId);
    if (old === undefined || fence === undefined || old.assignment.fence! >= fence) return;
    stop(old, failure('Given out again under a higher fence'));
  }

  function begin(held: Slot): void {
    if (held.phase !== 'held') return;
    if (held.kind === 'queued') {
      held.phase = 'queued';
      // A run that waits because other runs of its job occupy the slots does not cover them.
      if (held.assignment.block === 'COVER') cover(held);
      moveUp(held.assignment.jobId);
      return;
    }
    if (held.assignment.block === 'COVER') cover(held);
    work(held);
  }

  /** Ends all earlier runs of the job. */
  function cover(by: Slot): void {
    const lane = laneOf(by.assignment.jobId);
    for (const other of [...lane.waiting, ...lane.working()]) {
      if (other !== by && other.phase !== 'held') stop(other, killed(`Covered by run ${by.assignment.runId}`));
    }
  }

  function work(place: Slot): void {
    if (called >= concurrency) {
      place.phase = 'gated';
      gate.push(place);
      return;
    }
    called += 1;
    place.phase = 'running';
    place.tracing = tracing();
    place.run = startHandler(handlers[place.assignment.handler]!, place.assignment, place);
  }

  /** Ends a run from outside: aborts its handler's signal and ignores the handler's later output. */
  function stop(place: Slot, outcome: Outcome): void {
    place.run?.abort(outcome.message!);
    end(place, outcome);
  }

  function end(place: Slot, outcome: Outcome): void {
    if (place.phase === 'over') return;
    place.phase = 'over';
    events.ended(place.assignment, outcome);
    leave(place);
  }

  function leave(place: Slot): void {
    if (place.run !== null) called -= 1;
    place.run = null;
    place.phase = 'over';
    openGate();
    const { jobId, runId } = place.assignment;
    const lane = laneOf(jobId);
    if (places.get(runId) === place) places.delete(runId);
    const before = lane.size;
    lane.delete(place);
    working -= before - lane.size;
    // A run that had a slot is not waiting, so a long queue is not searched for it.
    const waitsAt = before === lane.size ? lane.waiting.indexOf(place) : -1;
    if (waitsAt >= 0) lane.waiting.splice(waitsAt, 1);
    if (lane.size === 0 && lane.waiting.length === 0) lanes.delete(jobId);
    relieveCrowded();
    moveUp(jobId);
  }

  function openGate(): void {
    while (called < concurrency && gate.length > 0) {
      const next = gate.shift()!;
      if (next.phase === 'gated') work(next);
    }
  }

  /** A slot of the executor is free: runs of other jobs that wait for nothing else start. */
  function relieveCrowded(): void {
    for (const jobId of crowded) {
      if (working >= concurrency) return;
      crowded.delete(jobId);
      moveUp(jobId);
    }
  }

  /** Starts waiting runs, first come first served, as far as there is room. */
  function moveUp(jobId: number): void {
    const lane = lanes.get(jobId);
    while (lane !== undefined && lane.waiting.length > 0) {
      const next = lane.waiting[0]!;
      if (next.phase !== 'queued' || lane.size >= slotsOf(next.assignment)) return;
      if (working >= concurrency) {
        crowded.add(jobId);
        return;
      }
      lane.waiting.shift();
      occupy(lane, next);
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
    room(job) {
      // Runs that are discarded or covered never occupy room.
      if (job.block === 'DISCARD' || job.block === 'COVER') return Number.MAX_SAFE_INTEGER;
      const lane = lanes.get(job.id);
      const free = Math.min(slotsOf(job) - (lane?.size ?? 0), concurrency - working);
      return Math.max(0, free) + queueLimit - (lane?.waiting.length ?? 0);
    },
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
      gate.length = 0;
      for (const place of [...places.values()]) {
        if (place.phase === 'running') stop(place, failure(message));
        else {
          waiting.push(place.assignment);
          leave(place);
        }
      }
      return waiting;
    },
    releaseAll(message) {
      const released: Assignment[] = [];
      gate.length = 0;
      for (const lane of lanes.values()) lane.waiting.length = 0;
      for (const place of [...places.values()]) {
        released.push(place.assignment);
        place.run?.abort(message);
        leave(place);
      }
      return released;
    },
    get size() {
      return places.size;
    },
  };
}

/** How many runs of a job execute concurrently. */
function slotsOf({ block, concurrency }: { readonly block: BlockStrategy; readonly concurrency: number }): number {
  return block === 'CONCURRENT' ? concurrency : 1;
}

function idOf(place: Slot): number {
  return place.assignment.runId;
}

function refusal(why: 'handler' | 'slot', message: string): Placement {
  return { kind: 'refused', why, outcome: failure(message) };
}
