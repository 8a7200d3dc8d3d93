import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectTimeRing, createExecutor, type Handler } from '../../src/index.js';
import { traceRuns } from '../../src/opentelemetry.js';
import { loopbackServer, reply } from '../support/loopback-server.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage, remoteExecutor } from '../support/network-stage.js';
import { createRingStage, EVERY_SECOND } from '../support/ring-stage.js';

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

/** A tracer whose spans a test reads. */
function recorded() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  onTestFinished(() => provider.shutdown());
  const spans = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);
  const all = (name: string, count: number) =>
    eventually(() => {
      expect(spans(name).length).toBe(count);
      return spans(name);
    });
  return { tracer: provider.getTracer('test'), spans, all };
}

const idOf = (span: ReadableSpan) => span.spanContext().spanId;
const linksOf = (span: ReadableSpan) => span.links.map(({ context: { spanId } }) => spanId);

/** Fails twice, and notes which span is active while it works. */
function stubborn() {
  const active: (string | undefined)[] = [];
  const handler: Handler = async ({ attempt }) => {
    await null;
    active.push(trace.getActiveSpan()?.spanContext().spanId);
    if (attempt < 3) throw new TypeError(`attempt ${attempt}`);
  };
  return { active, handler };
}

onEveryDatabase(() => {
  test('a request, its trigger and three attempts on a remote executor are one tree', async () => {
    const stage = await networkStage();
    const { tracer, all } = recorded();
    onTestFinished(traceRuns(stage.ring, tracer));
    const { active, handler } = stubborn();
    await remoteExecutor({ ring: stage.url, handlers: { work: handler } });
    await stage.registered(1);
    const retry = { kind: 'fixed', delayMs: 0 } as const;
    await stage.job({ key: 'mail', retries: 2, retry });
    const front = await loopbackServer((_call, response) =>
      tracer.startActiveSpan('GET /mail', async (span) => {
        reply(response, await stage.ring.jobs.trigger('mail'));
        span.end();
      }),
    );
    const { id } = (await (await fetch(front.url)).json()) as { id: number };
    const attempts = await all('run mail', 3);
    const [request] = await all('GET /mail', 1);
    const [trigger] = await all('trigger mail', 1);
    expect(trigger!.parentSpanContext?.spanId).toBe(idOf(request!));
    expect(trigger!.kind).toBe(SpanKind.PRODUCER);
    expect(trigger!.attributes).toMatchObject({
      'messaging.system': 'horae',
      'messaging.destination.name': 'mail',
      'messaging.message.id': String(id),
      'messaging.operation.type': 'send',
    });
    const { traceId } = request!.spanContext();
    for (const [i, span] of attempts.entries()) {
      expect(span.spanContext().traceId).toBe(traceId);
      expect(span.kind).toBe(SpanKind.CONSUMER);
      expect(span.parentSpanContext?.spanId).toBe(idOf(trigger!));
      expect(span.attributes).toMatchObject({ 'messaging.operation.type': 'process', 'horae.attempt': i + 1 });
      expect(linksOf(span)).toEqual(i === 0 ? [] : [idOf(attempts[i - 1]!)]);
      expect(span.status.code).toBe(i < 2 ? SpanStatusCode.ERROR : SpanStatusCode.UNSET);
    }
    expect(attempts[0]!.attributes['messaging.message.id']).toBe(String(id));
    expect(attempts[0]!.events[0]!.attributes).toMatchObject({
      'exception.type': 'TypeError',
      'exception.message': 'attempt 1',
    });
    expect(active).toEqual(attempts.map(idOf));
  });

  test('a trigger of a client goes on in the node that runs it', async () => {
    const stage = await networkStage();
    const web = await connectTimeRing({ database: networkPlace().database });
    onTestFinished(() => web.close());
    const here = recorded();
    const there = recorded();
    onTestFinished(traceRuns(web, here.tracer));
    onTestFinished(traceRuns(stage.ring, there.tracer));
    await createExecutor({ ring: stage.ring, handlers: { work: () => {} } });
    const { id } = await stage.job();
    await web.jobs.trigger(id);
    const [trigger] = await here.all('trigger work', 1);
    const [run] = await there.all('run work', 1);
    expect(run!.parentSpanContext?.spanId).toBe(idOf(trigger!));
  });

  test('the start of a flow is the parent of its steps, each linked to the step before it', async () => {
    const stage = await networkStage();
    const web = await connectTimeRing({ database: networkPlace().database });
    onTestFinished(() => web.close());
    const here = recorded();
    const there = recorded();
    onTestFinished(traceRuns(web, here.tracer));
    onTestFinished(traceRuns(stage.ring, there.tracer));
    const fails = () => Promise.reject(new Error('no'));
    await createExecutor({ ring: stage.ring, handlers: { work: () => {}, fails } });
    await stage.job({ key: 'first', handler: 'work' });
    await stage.job({ key: 'shaky', handler: 'fails', retries: 0 });
    await stage.job({ key: 'clean', handler: 'work' });
    const steps = {
      a: { job: 'first' },
      b: { job: 'shaky', after: ['a'] },
      never: { job: 'first', after: ['b'] },
      c: { job: 'clean', after: ['b'], when: 'failed' },
    } as const;
    const { id } = await web.flows.start({ name: 'import', steps });
    const [clean] = await there.all('run clean', 1);
    const [flow] = await here.all('flow import', 1);
    expect(flow!.kind).toBe(SpanKind.PRODUCER);
    expect(flow!.attributes).toMatchObject({ 'messaging.system': 'horae', 'horae.flow.id': id });
    const [first] = there.spans('run first');
    const [shaky] = there.spans('run shaky');
    for (const span of [first!, shaky!, clean!]) {
      expect(span.spanContext().traceId).toBe(flow!.spanContext().traceId);
      expect(span.parentSpanContext?.spanId).toBe(idOf(flow!));
    }
    expect([first!, shaky!, clean!].map(linksOf)).toEqual([[], [idOf(first!)], [idOf(shaky!)]]);
    await expect(web.flows.start({ name: 'bad', steps: { a: { job: 'nobody' } } })).rejects.toThrow();
    expect(here.spans('flow bad')).toEqual([]);
  });
}, ['lock-row']);

test('a scheduled run is a root, its child a root that is linked to it', async () => {
  await using stage = await createRingStage();
  const { tracer, spans } = recorded();
  const end = traceRuns(stage.ring, tracer);
  await stage.executor({ parent: () => {}, child: () => {} });
  const child = await stage.job({ name: 'child' });
  await stage.job({ name: 'parent', schedule: EVERY_SECOND, children: [child.id], start: true });
  await stage.clock.advanceBy(1_500);
  const [parent] = spans('run parent');
  expect(parent!.parentSpanContext).toBeUndefined();
  expect(spans('run child')[0]!.parentSpanContext).toBeUndefined();
  expect(linksOf(spans('run child')[0]!)).toEqual([idOf(parent!)]);
  end();
  const before = spans('run parent').length;
  await stage.clock.advanceBy(2_000);
  expect(spans('run parent').length).toBe(before);
  expect((await stage.runs()).length).toBeGreaterThan(before * 2);
});

test('what a handler triggers is a child of its run, and a kill is an error', async () => {
  await using stage = await createRingStage();
  const { tracer, spans } = recorded();
  onTestFinished(traceRuns(stage.ring, tracer));
  const second = await stage.job({ name: 'second' });
  await stage.executor({
    first: ({ ring }) => ring.jobs.trigger(second.id),
    second: () => new Promise(() => {}),
  });
  const first = await stage.job({ name: 'first' });
  await stage.ring.jobs.trigger(first.id);
  await stage.clock.settle();
  expect(spans('trigger second')[0]!.parentSpanContext?.spanId).toBe(idOf(spans('run first')[0]!));
  await stage.ring.runs.kill(2);
  await stage.clock.settle();
  expect(spans('run second')[0]!.status.code).toBe(SpanStatusCode.ERROR);
});

test('what is no ring cannot be traced', () => {
  expect(() => traceRuns({} as never, recorded().tracer)).toThrowError(/ring must be/);
});
