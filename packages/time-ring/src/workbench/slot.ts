import type { Clock } from '@horae/clock-store';
import type { RunProgress } from '../model/run.js';
import type { Assignment, Outcome } from './assignment.js';
import type { ExecutorRing } from './executor-ring.js';
import type { HandlerPorts, HandlerRun } from './run-handler.js';
import type { RunTracing } from './run-tracing.js';

/** Told by the workbench. */
export interface RunSlotsEvents {
  /** A queued run's turn has come; false: it is not wanted any more. */
  starting(assignment: Assignment): Promise<boolean>;
  /** Once for every run that began, and for a queued one that is killed. */
  ended(assignment: Assignment, outcome: Outcome): void;
  logged(assignment: Assignment, line: string): void;
  progressed(assignment: Assignment, progress: RunProgress): void;
  /** A handler has succeeded after its run had timed out. */
  late?(assignment: Assignment): void;
}

/** What a slot asks of the bench it is on. */
export interface Bench {
  readonly clock: Clock;
  readonly ring: ExecutorRing;
  readonly events: RunSlotsEvents;
  begin(place: Slot): void;
  end(place: Slot, outcome: Outcome): void;
  leave(place: Slot): void;
}

/** A run on the bench. It is its own placement, and what its handler speaks to: a thousand of them may come at once. */
export class Slot implements HandlerPorts {
  /** `held`: waits for `begin`; `gated`: has begun in a burst, and its handler is called as soon as another has ended. */
  phase: 'held' | 'gated' | 'queued' | 'starting' | 'running' | 'over' = 'held';
  run: HandlerRun | null = null;
  tracing: RunTracing | null = null;
  /** Its neighbours among those of its job that have a place to work. */
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
