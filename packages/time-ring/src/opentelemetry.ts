import type { Meter, ObservableResult } from '@opentelemetry/api';
import type { RingMetrics } from './ring-events.js';

/** The counters of a node, with what they say. */
const counters = {
  passes: 'Passes that claimed what was due',
  passesFailed: 'Passes that failed',
  claimed: 'Scheduled runs written',
  fired: 'Runs handed to an executor',
  misfired: 'Misfires told',
  succeeded: 'Runs that succeeded',
  failed: 'Runs that failed',
  killed: 'Runs that were killed',
  retried: 'Retries written',
  refused: 'Results that were refused',
} as const satisfies Partial<Record<keyof RingMetrics, string>>;

/**
 * Reports the metrics of a node to an OpenTelemetry meter whenever it collects: counters `horae.ring.claimed` and so on, the gauges
 * `horae.ring.size`, `horae.ring.pool.running` and `horae.ring.pool.queued` with the attribute `pool`. Gives the function that ends it.
 */
export function reportMetrics(ring: { metrics(): RingMetrics }, meter: Meter): () => void {
  const removers = Object.entries(counters).map(([name, description]) => {
    const counter = meter.createObservableCounter(`horae.ring.${dotted(name)}`, { description });
    const observe = (result: ObservableResult) => result.observe(ring.metrics()[name as keyof typeof counters]);
    counter.addCallback(observe);
    return () => counter.removeCallback(observe);
  });
  const size = meter.createObservableGauge('horae.ring.size', { description: 'Runs that wait in the ring' });
  const observeSize = (result: ObservableResult) => result.observe(ring.metrics().ringSize);
  size.addCallback(observeSize);
  const pools = (['running', 'queued'] as const).map((what) => {
    const gauge = meter.createObservableGauge(`horae.ring.pool.${what}`, { description: `Triggers that are ${what}` });
    const observe = (result: ObservableResult) => {
      const { fast, slow } = ring.metrics().pools;
      result.observe(fast[what], { pool: 'fast' });
      result.observe(slow[what], { pool: 'slow' });
    };
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });
  return () => {
    for (const remove of [...removers, () => size.removeCallback(observeSize), ...pools]) remove();
  };
}

function dotted(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
