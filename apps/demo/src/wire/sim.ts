/** A change to a scenario besides its text: an interrupt at a minute. */
export interface SimChange {
  readonly t: number;
  readonly target: string;
  readonly resumeAfterMin: number;
}

export interface GanttPiece {
  readonly kind: 'run' | 'wait' | 'pause';
  readonly from: number;
  /** Exclusive; the piece may still go on at the end of the chart. */
  readonly to: number;
  readonly isOpen: boolean;
}

export interface GanttLane {
  readonly id: string;
  readonly actor: string;
  readonly verb: string;
  readonly locks: readonly string[];
  readonly pieces: readonly GanttPiece[];
  readonly rejected: string | null;
  /** Why it waited, in words; null when it did not. */
  readonly why: string | null;
}

export interface LogLine {
  readonly t: number;
  readonly at: string;
  readonly type: string;
  readonly action: string;
  readonly hash: string;
}

/** How much a lock was used and waited for; `queue` has the minutes at which its length changes. */
export interface LockFigure {
  readonly name: string;
  readonly capacity: number;
  readonly utilisation: number;
  readonly queueMean: number;
  readonly queueMax: number;
  readonly queue: readonly (readonly [t: number, length: number])[];
}

/** Figures of many runs with other seeds, each with its 95 % interval. */
export interface SimReplication {
  readonly ok: true;
  readonly runs: number;
  readonly figures: readonly {
    readonly name: string;
    readonly mean: number;
    readonly low: number;
    readonly high: number;
  }[];
}

export interface SimRun {
  readonly minutes: number;
  readonly figures: readonly LockFigure[];
  readonly startAt: string;
  readonly lanes: readonly GanttLane[];
  /** How many actions have no lane because there are too many. */
  readonly hiddenLanes: number;
  readonly worldLog: readonly LogLine[];
  readonly pcLog: readonly LogLine[];
  readonly rejections: readonly { readonly id: string; readonly message: string }[];
  readonly ignored: readonly { readonly target: string; readonly reason: string }[];
}

export interface SimAnswer {
  readonly ok: true;
  readonly title: string;
  readonly about: string;
  readonly pc: string | null;
  readonly main: SimRun;
  readonly branch: SimRun | null;
  readonly diff: {
    readonly firstAt: number | null;
    readonly here: string | null;
    readonly there: string | null;
    readonly onlyHere: number;
    readonly onlyThere: number;
  } | null;
}

export interface SimRefusal {
  readonly ok: false;
  readonly faults: readonly {
    readonly path: string;
    readonly line: number | null;
    readonly expected: string;
    readonly received: string;
  }[];
}

/** The world at one minute. */
export interface SimView {
  readonly t: number;
  readonly at: string;
  readonly running: readonly string[];
  readonly waiting: readonly string[];
  readonly suspended: readonly string[];
  readonly locks: readonly {
    readonly name: string;
    readonly heldBy: string | null;
    readonly queue: readonly string[];
  }[];
  readonly resources: readonly { readonly name: string; readonly stock: number; readonly reserved: number }[];
}

export interface SimPreset {
  readonly name: string;
  readonly text: string;
}

/** The harbour that runs by itself: one minute per second. */
export interface LiveHarbour {
  readonly day: number;
  readonly t: number;
  readonly at: string;
  readonly from: number;
  readonly lanes: readonly GanttLane[];
  readonly view: SimView;
}
