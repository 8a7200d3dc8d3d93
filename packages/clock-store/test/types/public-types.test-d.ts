import {
  type Clock,
  createEmitter,
  createLifecycle,
  type EpochMs,
  HoraeError,
  isHoraeError,
  systemClock,
  toDurationMs,
} from '@horae/clock-store';
import { type HoraeDatabase, type Migration, openDatabase } from '@horae/clock-store/storage';
import { createManualClock, type ManualClock, storageConformance } from '@horae/clock-store/testing';
import type { Transaction } from 'kysely';
import { Duration } from 'luxon';
import { expectTypeOf, test } from 'vitest';

test('events are typed by their map', () => {
  const emitter = createEmitter<{ tick: number; note: { text: string } }>();
  emitter.on('note', (event) => expectTypeOf(event).toEqualTypeOf<{ text: string }>());
  expectTypeOf(emitter.on('tick', () => {})).toEqualTypeOf<() => void>();
  // @ts-expect-error: no such event
  emitter.on('tock', () => {});
  // @ts-expect-error: the event is a number
  emitter.emit('tick', 'one');
});

test('plain numbers are instants', () => {
  const at: EpochMs = 1_774_746_000_000;
  expectTypeOf(systemClock().sleepUntil(at)).toEqualTypeOf<Promise<void>>();
});

test('a manual clock is a clock', () => {
  expectTypeOf(createManualClock({ now: 0 })).toExtend<Clock>();
  expectTypeOf<ManualClock['advanceTo']>().parameter(0).toEqualTypeOf<number | string>();
});

test('durations are numbers, luxon durations or anything with toMillis', () => {
  expectTypeOf(toDurationMs(5)).toEqualTypeOf<number>();
  toDurationMs(Duration.fromMillis(5));
  toDurationMs({ toMillis: () => 5 });
  // @ts-expect-error: text is no duration
  toDurationMs('5s');
});

test('errors keep the type of their details', () => {
  class SampleError extends HoraeError<{ line: number }> {
    readonly code = 'sample';
  }
  expectTypeOf(new SampleError('text', { line: 1 }).details.line).toEqualTypeOf<number>();
  const unknown: unknown = undefined;
  if (isHoraeError(unknown)) expectTypeOf(unknown.code).toEqualTypeOf<string>();
});

test('a transaction hands over a kysely transaction and gives back what the work returns', () => {
  expectTypeOf(openDatabase).returns.resolves.toEqualTypeOf<HoraeDatabase>();
  const use = (database: HoraeDatabase) => database.transaction(async (trx) => (trx.isTransaction ? 1 : 2));
  expectTypeOf(use).returns.resolves.toEqualTypeOf<1 | 2>();
  // biome-ignore lint/suspicious/noExplicitAny: the tables of the caller
  expectTypeOf<Parameters<Parameters<HoraeDatabase['transaction']>[0]>[0]>().toEqualTypeOf<Transaction<any>>();
  expectTypeOf<HoraeDatabase['migrate']>().parameter(1).toEqualTypeOf<readonly Migration[]>();
  expectTypeOf<HoraeDatabase>().toExtend<AsyncDisposable>();
});

test('a lifecycle can be disposed of, and the suite needs no test framework', () => {
  expectTypeOf(createLifecycle({})).toExtend<AsyncDisposable>();
  expectTypeOf(storageConformance).returns.toExtend<readonly { name: string; run(): Promise<void> }[]>();
});
