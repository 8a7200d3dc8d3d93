import { openDatabase } from '@horae/clock-store/storage';
import { expect, onTestFinished, test } from 'vitest';
import { signatureOf } from '../../src/http/alert-webhook.js';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { alertStage } from '../support/alert-stage.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';
import { START } from '../support/ring-stage.js';

const onOps = (...causes: string[]) => causes.map((on) => ({ on, channel: 'ops' })) as never;

/** Handlers that fail while the test says so. */
function moody() {
  const mood = { isBad: true };
  const handlers = {
    work: () => {
      if (mood.isBad) throw new Error('out of paper');
    },
  };
  return { mood, handlers };
}

onEveryDatabase(() => {
  test('fire-failed is told once when no retry is left, signed, with the job and the run', async () => {
    const stage = await alertStage({ alerts: onOps('fire-failed', 'fire-recovered'), nodeId: 'first' });
    await createExecutor({ ring: stage.ring, handlers: moody().handlers });
    const retry = { kind: 'fixed', delayMs: 1_000 } as const;
    const job = await stage.job({ key: 'print', name: 'Print', retries: 1, retry });
    const run = await stage.ring.jobs.trigger(job.id);
    await stage.ended(run.id);
    await stage.advance(2_000);
    const [, last] = await stage.allEnded(run.fireId, 2);
    await stage.told('fire-failed 1');
    const { headers, text } = stage.sink.calls[0]!;
    const message = stage.sink.messages()[0]!;
    expect(message).toEqual({
      id: expect.any(Number),
      on: 'fire-failed',
      count: 1,
      at: last!.endedAt,
      text: 'Job "Print" (print) has failed after 2 attempts: out of paper',
      nodeId: 'first',
      job: { id: job.id, key: 'print', name: 'Print' },
      run: { id: last!.id, fireId: run.fireId, attempt: 2, scheduleTime: null, message: 'out of paper' },
    });
    const timestamp = String(headers['x-horae-timestamp']);
    expect(Math.abs(Number(timestamp) * 1_000 - stage.clock.now())).toBeLessThanOrEqual(1_000);
    expect(headers['x-horae-alert']).toBe(String(message.id));
    expect(headers['x-horae-signature']).toBe(signatureOf('very secret', timestamp, text));
    await stage.sent(1);
    expect(stage.heard.find(({ name }) => name === 'alert-sent')!.event).toEqual({ channel: 'ops', message });
  });

  test('rules of a group hold for its jobs, and are given back by groups.list', async () => {
    const stage = await alertStage();
    await createExecutor({ ring: stage.ring, group: 'printers', handlers: moody().handlers });
    const rule = { on: 'fire-failed', channel: 'ops' } as const;
    const put = await stage.ring.groups.put({ name: 'printers', alerts: [rule] });
    expect(put.alerts).toEqual([rule]);
    expect((await stage.ring.groups.list()).find(({ name }) => name === 'printers')!.alerts).toEqual([rule]);
    const job = await stage.job({ executorGroup: 'printers' });
    await stage.ended((await stage.ring.jobs.trigger(job.id)).id);
    await stage.told('fire-failed 1');
    const bad = stage.ring.groups.put({ name: 'printers', alerts: [{ on: 'rain', channel: 'ops' } as never] });
    await expect(bad).rejects.toMatchObject({ code: 'bad-group', details: { field: 'alerts.0.on' } });
  });

  test('what follows within quietMs is one message at its end, and a recovery takes what was held back', async () => {
    const stage = await alertStage({ alerts: onOps('fire-failed', 'fire-recovered'), quietMs: 5_000 });
    const { mood, handlers } = moody();
    await createExecutor({ ring: stage.ring, handlers });
    const job = await stage.job();
    const fire = async () => stage.ended((await stage.ring.jobs.trigger(job.id)).id);
    for (let more = 0; more < 3; more++) await fire();
    await stage.told('fire-failed 1');
    await stage.advance(4_000);
    await stage.told('fire-failed 1');
    await stage.advance(2_000);
    await stage.told('fire-failed 1', 'fire-failed 2');
    await stage.sent(2);
    expect(stage.sink.messages()[1]!.at).toBe(START);
    for (let more = 0; more < 3; more++) await fire();
    await stage.told('fire-failed 1', 'fire-failed 2', 'fire-failed 1');
    mood.isBad = false;
    await fire();
    await fire();
    await stage.told('fire-failed 1', 'fire-failed 2', 'fire-failed 1', 'fire-recovered 3');
    expect(stage.sink.messages()[3]!.text).toBe('Job "work" has recovered after 2 more failures');
    await stage.sent(4);
    mood.isBad = true;
    await fire();
    await stage.told('fire-failed 1', 'fire-failed 2', 'fire-failed 1', 'fire-recovered 3', 'fire-failed 1');
  });

  test('a sink that fails, hangs and breaks the connection gets the same message until it says yes', async () => {
    const stage = await alertStage({ alerts: onOps('fire-failed') }, 500, 'hang', 'break', 204);
    await createExecutor({ ring: stage.ring, handlers: moody().handlers });
    await stage.ended((await stage.ring.jobs.trigger((await stage.job()).id)).id);
    const calls = (count: number) => eventually(() => expect(stage.sink.calls.length).toBe(count));
    await calls(1);
    // 1 s after the failure, 2 s after the 10 s of silence, 4 s after the broken connection.
    const tries = [START, START + 1_000, START + 13_000, START + 17_000];
    for (let tried = 2; tried <= 4; tried++) {
      await eventually(async () => {
        if (stage.sink.calls.length < tried) await stage.advance(1_000);
        expect(stage.sink.calls.length).toBe(tried);
      });
    }
    await stage.sent(1);
    await stage.advance(3_000);
    expect(new Set(stage.sink.messages().map(({ id }) => id)).size).toBe(1);
    expect(stage.sink.calls.length).toBe(4);
    const at = stage.sink.calls.map(({ headers }) => Number(headers['x-horae-timestamp']) * 1_000);
    at.forEach((each, i) => void expect(each).toBeGreaterThanOrEqual(tries[i]!));
  });

  test('misfire, late and run-waiting follow rules of the job', async () => {
    const stage = await alertStage({ misfireMs: 2_000, leaseMs: 1_000 });
    const job = await stage.job({
      name: 'tick',
      schedule: { kind: 'fix-rate', everyMs: 1_000 },
      alerts: [
        { on: 'misfire', channel: 'ops' },
        { on: 'run-waiting', afterMs: 3_000, channel: 'ops' },
        { on: 'run-waiting', afterMs: 3_000, channel: 'ops' },
        { on: 'late', afterMs: 4_000, channel: 'ops' },
      ],
    });
    expect((await stage.ring.jobs.get(job.id))!.alerts).toHaveLength(4);
    const run = await stage.ring.jobs.trigger(job.id, { delayMs: 1_000 });
    await stage.advance(1_000);
    await stage.waiting(run.id, 'executor');
    await stage.advance(4_000);
    await stage.told('run-waiting 1');
    expect(stage.sink.messages()[0]!.run!.id).toBe(run.id);
    await createExecutor({ ring: stage.ring, handlers: { work: () => {} } });
    await stage.ended(run.id);
    await stage.advance(1_000);
    await stage.told('run-waiting 1', 'late 1');
    await stage.ring.jobs.start(job.id);
    await stage.clock.jumpTo(stage.clock.now() + 60_000);
    await stage.advance(2_000);
    await stage.told('run-waiting 1', 'late 1', 'misfire 1');
    expect(stage.sink.messages()[2]!.job).toEqual({ id: job.id, key: null, name: 'tick' });
  });

  test('executor-lost, node-lost and pass-failed concern no job', async () => {
    let isBroken = false;
    const onStep = (step: string) => {
      if (isBroken && step === 'claim') throw new Error('no pass today');
    };
    const stage = await alertStage({ alerts: onOps('executor-lost', 'node-lost', 'pass-failed'), onStep });
    const { database, claim } = networkPlace();
    // A node whose database is closed under it is as good as dead.
    const opened = await openDatabase(database, { clock: stage.clock });
    const other = await startTimeRing({ database: opened, claim, clock: stage.clock, nodeId: 'doomed' });
    onTestFinished(() => other.stop({ deadlineMs: 0 }));
    await opened.close();
    await stage.advance(6_000);
    await stage.told('node-lost 1');
    expect(stage.sink.messages()[0]).toMatchObject({ job: null, run: null, text: expect.stringContaining('"doomed"') });
    isBroken = true;
    await stage.clock.advanceBy(1_000);
    await stage.told('node-lost 1', 'pass-failed 1');
    isBroken = false;
    await stage.ring.executors.register({ group: 'default', address: 'http://127.0.0.1:1/' });
    await stage.clock.jumpTo(stage.clock.now() + 91_000);
    await stage.advance(2_000);
    await stage.told('node-lost 1', 'pass-failed 1', 'executor-lost 1');
  });

  test('a node leaves to others what goes to a channel that it does not have', async () => {
    const stage = await alertStage({ channels: {}, alerts: onOps('fire-failed') });
    await createExecutor({ ring: stage.ring, handlers: moody().handlers });
    await stage.ended((await stage.ring.jobs.trigger((await stage.job()).id)).id);
    await stage.advance(2_000);
    expect(stage.sink.calls).toEqual([]);
    const { database, claim } = networkPlace();
    const received: unknown[] = [];
    const other = await startTimeRing({
      ...{ database, claim, clock: stage.clock, nodeId: 'other' },
      channels: { ops: { kind: 'function', send: async (message) => received.push(message) } },
    });
    onTestFinished(() => other.stop({ deadlineMs: 0 }));
    await stage.advance(1_000);
    await eventually(() => expect(received).toMatchObject([{ on: 'fire-failed', count: 1 }]));
    expect((received[0] as { nodeId: string }).nodeId).toBe(stage.ring.health().nodeId);
  });
}, ['lock-row']);
