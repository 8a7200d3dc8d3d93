import { createManualClock } from '@horae/clock-store/testing';
import fc from 'fast-check';
import { test } from 'vitest';

type Command =
  | { kind: 'until'; at: number }
  | { kind: 'for'; ms: number }
  | { kind: 'advance'; ms: number }
  | { kind: 'jump'; to: number }
  | { kind: 'abort'; which: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('until' as const), at: fc.integer({ min: -5, max: 60 }) }),
  fc.record({ kind: fc.constant('for' as const), ms: fc.integer({ min: -5, max: 60 }) }),
  fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constant('jump' as const), to: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ kind: fc.constant('abort' as const), which: fc.nat(20) }),
);

interface ModelSleeper {
  id: number;
  dueNow(wall: number, elapsed: number): boolean;
  /** Among sleepers due at the same millisecond: an appointment that was overdue comes by its own time. */
  at: number;
}

/** The oracle: walks every millisecond and looks at every sleeper. */
class Model {
  wall = 0;
  elapsed = 0;
  readonly sleepers: ModelSleeper[] = [];
  readonly woken: string[] = [];

  wake(): void {
    for (;;) {
      const due = this.sleepers.filter((sleeper) => sleeper.dueNow(this.wall, this.elapsed));
      if (due.length === 0) return;
      const appointments = due.filter((sleeper) => sleeper.at !== -1).sort((a, b) => a.at - b.at || a.id - b.id);
      const naps = due.filter((sleeper) => sleeper.at === -1).sort((a, b) => a.id - b.id);
      const [appointment, nap] = [appointments[0], naps[0]];
      const first = nap !== undefined && (appointment === undefined || nap.id < appointment.id) ? nap : appointment;
      if (first === undefined) return;
      this.sleepers.splice(this.sleepers.indexOf(first), 1);
      this.woken.push(`${first.id}@${this.wall}`);
    }
  }

  advance(ms: number): void {
    for (let step = 0; step < ms; step++) {
      this.wall += 1;
      this.elapsed += 1;
      this.wake();
    }
  }
}

test('wakes whom a clock that walks every millisecond wakes, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
      const clock = createManualClock({ now: 0 });
      const model = new Model();
      const woken: string[] = [];
      const aborts = new Map<number, AbortController>();
      let ids = 0;
      for (const step of commands) {
        if (step.kind === 'until' || step.kind === 'for') {
          const id = ids++;
          const abort = new AbortController();
          aborts.set(id, abort);
          const { signal } = abort;
          const end = model.elapsed + (step.kind === 'for' ? step.ms : 0);
          const sleep =
            step.kind === 'until' ? clock.sleepUntil(step.at, { signal }) : clock.sleepFor(step.ms, { signal });
          sleep.then(
            () => woken.push(`${id}@${clock.now()}`),
            () => {},
          );
          model.sleepers.push(
            step.kind === 'until'
              ? { id, at: Math.max(0, step.at), dueNow: (wall) => wall >= step.at }
              : { id, at: -1, dueNow: (_wall, elapsed) => elapsed >= end },
          );
          await clock.settle();
          model.wake();
        } else if (step.kind === 'advance') {
          await clock.advanceBy(step.ms);
          model.advance(step.ms);
        } else if (step.kind === 'jump') {
          await clock.jumpTo(step.to);
          model.wall = step.to;
          model.wake();
        } else {
          aborts.get(step.which)?.abort();
          await clock.settle();
          const index = model.sleepers.findIndex((sleeper) => sleeper.id === step.which);
          if (index >= 0) model.sleepers.splice(index, 1);
        }
      }
      if (woken.join() !== model.woken.join()) throw new Error(`woke ${woken.join()}, expected ${model.woken.join()}`);
      if (clock.sleepers !== model.sleepers.length) throw new Error('a sleeper was left behind');
    }),
    { numRuns: process.env.HORAE_LONG === '1' ? 20_000 : 500 },
  );
});
