import { setTimeout } from 'node:timers/promises';
import type { BenchDefinition, Contender } from './bench.js';

export interface MeasureOptions {
  rounds: number;
  /** How long one contender's turn in one round should take. */
  turnMs: number;
  onRound?(round: number): void;
}

/** The values of each contender, one per round, in the bench's unit. */
export type Rounds = Record<string, number[]>;

interface Runner {
  name: string;
  /** Whether one sample is a whole program, which collects garbage when it has to; collecting for it would make its compiled code cold. */
  isProgram: boolean;
  turn(): Promise<number>;
  end(): Promise<void>;
}

const MAX_CALLS_PER_TURN = 10_000_000;

/** Runs all contenders in every round, in an order that rotates, so that a slow moment of the machine hits each alike. */
export async function measure(bench: BenchDefinition, options: MeasureOptions): Promise<Rounds> {
  const runners: Runner[] = [];
  try {
    for (const [name, contender] of Object.entries(bench.contenders)) {
      runners.push(await prepare(name, contender, options.turnMs));
    }
    const rounds: Rounds = Object.fromEntries(runners.map(({ name }) => [name, []]));
    for (let round = 0; round < options.rounds; round++) {
      for (let i = 0; i < runners.length; i++) {
        const runner = runners[(i + round) % runners.length]!;
        if (!runner.isProgram) await collectGarbage();
        rounds[runner.name]!.push(await runner.turn());
      }
      options.onRound?.(round + 1);
    }
    return rounds;
  } finally {
    for (const runner of runners) await runner.end();
  }
}

/**
 * Memory that V8 sweeps on other threads after a collection would otherwise be swept inside the turn, at the cost of the next contender.
 */
const SWEEPING_MS = 30;

async function collectGarbage(): Promise<void> {
  if (globalThis.gc === undefined) return;
  globalThis.gc();
  await setTimeout(SWEEPING_MS);
}

async function prepare(name: string, contender: Contender, turnMs: number): Promise<Runner> {
  const state = await contender.setup?.();
  const end = async () => void (await contender.teardown?.(state));
  const { run, sample } = contender;
  if (sample !== undefined) return { name, isProgram: true, turn: async () => sample.call(contender, state), end };

  const timed = run!.bind(contender, state);
  const isAsync = timed() instanceof Promise;
  const time = isAsync ? timeAsync : timeSync;
  const operations =
    typeof contender.operations === 'function' ? contender.operations(state) : (contender.operations ?? 1);
  const sink: Sink = { last: undefined };
  const calls = await calibrate(timed, time, turnMs, sink);
  return { name, isProgram: false, turn: async () => (await time(timed, calls, sink)) / (calls * operations), end };
}

/** Doubles the calls until a turn is long enough to be timed; this also warms the code up. */
async function calibrate(timed: () => unknown, time: Timer, turnMs: number, sink: Sink): Promise<number> {
  const wantedNs = turnMs * 1e6;
  let calls = 1;
  for (;;) {
    const took = await time(timed, calls, sink);
    if (took >= wantedNs / 2 || calls >= MAX_CALLS_PER_TURN) {
      return Math.max(1, Math.min(MAX_CALLS_PER_TURN, Math.round((calls * wantedNs) / Math.max(took, 1))));
    }
    calls = Math.min(MAX_CALLS_PER_TURN, calls * 2);
  }
}

/**
 * Keeps a contender's last result reachable. The work before it cannot be proven useless, and its shapes outlive the
 * collections between two turns: V8 throws compiled code away with the last object of a shape that the code relies on, so
 * that every turn would begin cold, as no program does that uses what it has computed.
 */
interface Sink {
  last: unknown;
}

type Timer = (timed: () => unknown, calls: number, sink: Sink) => Promise<number>;

const timeSync: Timer = async (timed, calls, sink) => {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) sink.last = timed();
  return Number(process.hrtime.bigint() - start);
};

const timeAsync: Timer = async (timed, calls, sink) => {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) sink.last = await timed();
  return Number(process.hrtime.bigint() - start);
};
