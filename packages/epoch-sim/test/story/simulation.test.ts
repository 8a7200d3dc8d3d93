import { describe, expect, test } from 'vitest';
import {
  createSimulation,
  explainWait,
  InvalidSnapshot,
  renderGantt,
  restoreSimulation,
  runEpoch,
} from '../../src/index.js';
import { at, world } from '../support/small-world.js';

const use = { base_duration_min: 10, locks: ['tool'], interruptible: true };
const three = [
  { id: 'A', verb: 'use', at: '08:00' },
  { id: 'B', verb: 'use', at: '08:02' },
  { id: 'C', verb: 'use', at: '08:04' },
];
const short = (events: { type: string; action_id: string; t: number }[]) =>
  events.map((e) => `${e.t} ${e.type} ${e.action_id}`);

describe('a stepwise simulation', () => {
  test('runUntil(t) completes every phase of minute t', () => {
    const simulation = createSimulation(world({ use }, three));
    expect(simulation.t).toBe(-1);
    expect(short(simulation.runUntil(10).events())).toEqual(['0 start A', '10 end A', '10 start B']);
    expect(simulation.t).toBe(10);
    expect(short(simulation.runUntil(20).events({ since: 3 }))).toEqual(['20 end B', '20 start C']);
    expect(simulation.runUntil(5).t).toBe(20);
  });

  test('runUntil(predicate) stops after the minute of the first such event, or when nothing is left', () => {
    const simulation = createSimulation(world({ use }, three));
    simulation.runUntil(({ type, action_id }) => type === 'end' && action_id === 'B');
    expect(simulation.t).toBe(20);
    simulation.runUntil((_event, view) => view.running.length === 0);
    expect(simulation.t).toBe(30);
    expect(simulation.runUntil(() => false).events()).toHaveLength(6);
  });

  test('what is late comes before hundreds that wait for the same minute', () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ id: `a${i}`, verb: 'use', at: '08:05' }));
    const simulation = createSimulation(world({ use }, many)).runUntil(4);
    simulation.submit({ id: 'late', actor: 'Ann', verb: 'use', submitted_at: at('08:01') }).runUntil(40);
    expect(short(simulation.events())).toEqual([
      '5 start late',
      '15 end late',
      '15 start a0',
      '25 end a0',
      '25 start a1',
      '35 end a1',
      '35 start a2',
    ]);
    expect(simulation.view().waiting).toEqual(many.slice(3).map(({ id }) => id));
  });

  test('takes actions and interrupts on the way; what is late comes in the next minute', () => {
    const simulation = createSimulation(world({ use }, three)).runUntil(12);
    simulation.submit({ id: 'D', actor: 'Ann', verb: 'use', submitted_at: at('08:01') });
    simulation.interrupt({ at: at('08:00'), target: 'B', resume: 'never' });
    expect(short(simulation.runUntil(40).events({ since: 3 }))).toEqual([
      '13 interrupt B',
      '13 start C',
      '23 end C',
      '23 start D',
      '33 end D',
    ]);
  });

  test('withdraw takes back what was not admitted yet', () => {
    const simulation = createSimulation(world({ use }, three)).runUntil(2);
    expect(simulation.withdraw('C')).toBe(true);
    expect(simulation.withdraw('C')).toBe(false);
    expect(simulation.withdraw('B')).toBe(false);
    expect(short(simulation.runUntil(60).events())).toEqual(['0 start A', '10 end A', '10 start B', '20 end B']);
  });

  test('branch at t, change one action, and see the first divergent event', () => {
    const trunk = createSimulation(world({ use }, three)).runUntil(3);
    const branch = trunk.branch();
    branch.withdraw('C');
    branch.submit({ id: 'C', actor: 'Ann', verb: 'use', submitted_at: at('08:25') });
    const diff = trunk.runUntil(60).diff(branch.runUntil(60));
    expect(diff.first_divergence).toMatchObject({
      seq: 4,
      t: 20,
      here: { type: 'start', action_id: 'C', t: 20 },
      there: { t: 25 },
    });
    expect(short(diff.only_here)).toEqual(['20 start C', '30 end C']);
    expect(short(diff.only_there)).toEqual(['25 start C', '35 end C']);
  });

  test('a snapshot is JSON, or bytes; anything else is refused', () => {
    const simulation = createSimulation(world({ use }, three)).runUntil(5);
    const json = simulation.snapshot();
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    const bytes = simulation.snapshot({ format: 'binary' });
    expect(bytes).toBeInstanceOf(Uint8Array);
    expect(restoreSimulation(bytes).snapshot({ format: 'binary' })).toEqual(bytes);
    for (const bad of [{}, null, new Uint8Array(3), bytes.slice(1), bytes.slice(0, bytes.length - 8)])
      expect(() => restoreSimulation(bad as never)).toThrow(InvalidSnapshot);
  });

  test('a snapshot keeps late actions in front of those that were listed for the next minute', () => {
    const simulation = createSimulation(world({ use }, [{ id: 'A', verb: 'use', at: '08:06' }])).runUntil(5);
    simulation.submit({ id: 'late', actor: 'Ann', verb: 'use', submitted_at: at('08:01') });
    const wanted = ['6 start late', '16 end late', '16 start A', '26 end A'];
    for (const snapshot of [simulation.snapshot(), simulation.snapshot({ format: 'binary' })])
      expect(short(restoreSimulation(snapshot).runUntil(60).events())).toEqual(wanted);
  });

  test('onEnd is a function and is given again to what is restored', () => {
    const onEnd = () => [{ type: 'visibility_change' as const, after_min: 1 }];
    const straight = createSimulation(world({ use }, three), { onEnd }).runUntil(60);
    const restored = restoreSimulation(createSimulation(world({ use }, three), { onEnd }).runUntil(15).snapshot(), {
      onEnd,
    });
    expect(restored.runUntil(60).events()).toEqual(straight.events());
  });

  test('result() is what runEpoch gives', () => {
    const input = world({ use }, three);
    const simulation = createSimulation(input).runUntil(1439);
    expect(simulation.result().schedule_events).toEqual(runEpoch(input).schedule_events);
    expect(simulation.view().resources).toEqual({});
  });

  test('far apart minutes cost nothing and lose nothing', () => {
    const long = { base_duration_min: 5_000_000, interruptible: true };
    const simulation = createSimulation(world({ long, use }, [{ id: 'L', verb: 'long', at: '08:00' }]));
    simulation.runUntil(4_000_000).submit({ id: 'A', actor: 'x', verb: 'use', submitted_at: at('08:00') });
    expect(short(simulation.runUntil(6_000_000).events())).toEqual([
      '0 start L',
      '4000001 start A',
      '4000011 end A',
      '5000000 end L',
    ]);
  });
});

describe('noise', () => {
  test('is the same for the same seed and stays within its percentage', () => {
    const input = world(
      { walk: { base_duration_min: 100 } },
      Array.from({ length: 50 }, (_, i) => ({ id: `${i}`, verb: 'walk', at: '08:00' })),
    );
    const minutes = (seed: number) =>
      runEpoch(input, { noise: { seed, percent: 10 } })
        .schedule_events.filter(({ type }) => type === 'start')
        .map(({ meta }) => meta.d_eff as number);
    expect(minutes(1)).toEqual(minutes(1));
    expect(minutes(1)).not.toEqual(minutes(2));
    expect(new Set(minutes(1)).size).toBeGreaterThan(5);
    for (const d of minutes(1)) expect(d >= 90 && d <= 110).toBe(true);
  });
});

describe('explainWait', () => {
  test('names the locks, who had them, and the chain of predecessors', () => {
    const result = JSON.parse(JSON.stringify(runEpoch(world({ use }, three))));
    expect(explainWait(result, 'C')).toEqual({
      action_id: 'C',
      attempt: 1,
      requested_t: 4,
      started_t: 20,
      waited_min: 16,
      locks: [{ lock: 'tool', held_by: 'B', released_t: 20 }],
      chain: [
        { action_id: 'B', lock: 'tool', released_t: 20 },
        { action_id: 'A', lock: 'tool', released_t: 10 },
      ],
    });
    expect(explainWait(result, 'A')).toMatchObject({ waited_min: 0, chain: [] });
    expect(explainWait(result, 'nobody')).toBe(null);
  });

  test('explains what still waits, also behind somebody who waits', () => {
    const defs = {
      use,
      both: { base_duration_min: 5, locks: ['tool', 'bench'] },
      sit: { base_duration_min: 5, locks: ['bench'] },
    };
    const input = world(defs, [
      { id: 'A', verb: 'use', at: '08:00' },
      { id: 'B', verb: 'both', at: '08:01' },
      { id: 'C', verb: 'sit', at: '08:02' },
    ]);
    const result = runEpoch({ ...input, epoch: { index: 0, start_at: at('08:00'), end_at: at('08:05') } });
    expect(explainWait(result, 'C')).toMatchObject({
      started_t: null,
      waited_min: 3,
      chain: [
        { action_id: 'B', lock: null },
        { action_id: 'A', lock: 'tool', released_t: null },
      ],
    });
  });
});

describe('renderGantt', () => {
  test('is a self-contained SVG with a line for each action, the same for the same result', () => {
    const result = runEpoch(
      world({ use }, three, { interrupts: [{ at: at('08:05'), target: 'A', resume_after_min: 9 }] }),
    );
    const svg = renderGantt(result, { title: 'Tools & <locks>' });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain('Tools &amp; &lt;locks&gt;');
    for (const kind of ['run', 'wait', 'pause']) expect(svg).toContain(`<rect class="${kind}"`);
    expect(renderGantt(result, { title: 'Tools & <locks>' })).toBe(svg);
    expect(svg).not.toMatch(/NaN|undefined|Infinity|href|<script/);
  });

  test('an empty epoch and a crowd are charts too', () => {
    expect(renderGantt(runEpoch(world({}, [])))).not.toMatch(/NaN|Infinity/);
    const crowd = Array.from({ length: 300 }, (_, i) => ({ id: `${i}`, verb: 'use', at: '08:00' }));
    expect(renderGantt(runEpoch(world({ use }, crowd)))).toMatch(/and \d+ more/);
  });
});
