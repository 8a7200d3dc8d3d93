import type { Clock } from '@horae/clock-store';
import type { RunProgress } from '../model/run.js';
import type { Assignment, Outcome } from './assignment.js';
import type { ExecutorRing } from './executor-ring.js';
import type { HandlerPorts, HandlerRun } from './run-handler.js';
import type { RunTracing } from './run-tracing.js';

/** The events of run slots. */
export interface RunSlotsEvents {
  /** Called when a queued run is about to start; false: it must not start any more. */
  starting(assignment: Assignment): Promise<boolean>;
  /** Called once for every run that started, and for a queued run that is killed. */
  ended(assignment: Assignment, outcome: Outcome): void;
  logged(assignment: Assignment, line: string): void;
  progressed(assignment: Assignment, progress: RunProgress): void;
  /** Called when a handler has succeeded after its run timed out. */
  late?(assignment: Assignment): void;
}

/** The operations that a slot needs of the run slots it belongs to. */
export interface Bench {
  readonly clock: Clock;
  readonly ring: ExecutorRing;
  readonly events: RunSlotsEvents;
  begin(place: Slot): void;
  end(place: Slot, outcome: Outcome): void;
  leave(place: Slot): void;
}

/** A run on an executor. One object is both its placement and its handler's ports: a thousand runs may arrive at once. */
export class Slot implements HandlerPorts {
  /** `held`: waits for `begin`; `gated`: has begun in a burst, and its handler is called as soon as another ends. */
  phase: 'held' | 'gated' | 'queued' | 'starting' | 'running' | 'over' = 'held';
  run: HandlerRun | null = null;
  tracing: RunTracing | null = null;
  /** Its neighbours among the runs of its job that have slots. */
  before: Slot | null = null;
  after: Slot | null = null;

  constructor(
    readonly kind: 'running' | 'queued',
    readonly assignment: Assignment,
    private readonly bench: Bench,
  ) {}

  get clock(): Clock {
    return this.bench.clock;
  }

  get ring(): ExecutorRing {
    return this.bench.ring;
  }

  begin(): void {
    this.bench.begin(this);
  }

  cancel(): void {
    this.bench.leave(this);
  }

  log(line: string): void {
    this.bench.events.logged(this.assignment, line);
  }

  progressed(progress: RunProgress): void {
    this.bench.events.progressed(this.assignment, progress);
  }

  ended(outcome: Outcome): void {
    this.bench.end(this, outcome);
  }

  late(): void {
    this.bench.events.late?.(this.assignment);
  }
}
