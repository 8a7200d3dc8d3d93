/** Bounds how many calls are under way, in total and per address. */
export interface CallLimiter {
  /** Runs `call` when there is room, in the order of requests. Null: too many calls wait already. */
  run<Result>(address: string, call: () => Promise<Result>): Promise<Result | null>;
}

export interface CallLimits {
  readonly total: number;
  readonly perAddress: number;
  /** The maximum number of waiting calls in total. */
  readonly waiting: number;
}

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** Creates a limiter: a slow address fills its own places and not those of the others. */
export function createCallLimiter(limits: CallLimits): CallLimiter {
  const lanes = new Map<string, Lane>();
  /** Lanes that have room of their own and wait for room in the total, first come first served. */
  const ready: Lane[] = [];
  let running = 0;
  let waiting = 0;

  function laneOf(address: string): Lane {
    const known = lanes.get(address);
    if (known !== undefined) return known;
    const lane: Lane = { running: 0, waiting: [] };
    lanes.set(address, lane);
    return lane;
  }

  function start(lane: Lane): void {
    lane.running += 1;
    running += 1;
  }

  function end(address: string, lane: Lane): void {
    lane.running -= 1;
    running -= 1;
    if (lane.waiting.length > 0) ready.push(lane);
    else if (lane.running === 0) lanes.delete(address);
    while (running < limits.total) {
      const next = ready.shift();
      if (next === undefined) return;
      const resume = next.running < limits.perAddress ? next.waiting.shift() : undefined;
      if (resume === undefined) continue;
      waiting -= 1;
      start(next);
      resume();
    }
  }

  async function run<Result>(address: string, call: () => Promise<Result>): Promise<Result | null> {
    const lane = laneOf(address);
    const isFull = lane.running >= limits.perAddress;
    if (isFull || running >= limits.total) {
      if (waiting >= limits.waiting) return null;
      waiting += 1;
      const turn = new Promise<void>((resolve) => void lane.waiting.push(resolve));
      if (!isFull) ready.push(lane);
      await turn;
    } else {
      start(lane);
    }
    try {
      return await call();
    } finally {
      end(address, lane);
    }
  }

  return { run };
}
