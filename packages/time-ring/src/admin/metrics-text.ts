import type { RingMetrics } from '../ring-events.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Counter = Exclude<keyof RingMetrics, 'ringSize' | 'pools'>;

const counters: Readonly<Record<Counter, string>> = {
  passes: 'Passes of the schedule loop',
  passesFailed: 'Passes that failed',
  claimed: 'Scheduled runs that were written',
  fired: 'Runs handed to an executor',
  misfired: 'Misfires',
  succeeded: 'Runs that succeeded',
  failed: 'Runs that failed',
  killed: 'Runs that were killed',
  retried: 'Retries',
  refused: 'Results that came too late or from the wrong node',
};

/** The metrics of a node in Prometheus' text format. */
export function metricsText(metrics: RingMetrics): string {
  const lines: string[] = [];
  const describe = (name: string, type: 'counter' | 'gauge', help: string) =>
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  for (const [key, help] of Object.entries(counters)) {
    const name = `horae_ring_${snakeCase(key)}_total`;
    describe(name, 'counter', help);
    lines.push(`${name} ${metrics[key as Counter]}`);
  }
  describe('horae_ring_ring_size', 'gauge', 'Claimed occurrences that wait in the ring for their second');
  lines.push(`horae_ring_ring_size ${metrics.ringSize}`);
  for (const what of ['running', 'queued'] as const) {
    const name = `horae_ring_pool_${what}`;
    describe(name, 'gauge', `Triggers ${what} in a pool`);
    for (const [pool, numbers] of Object.entries(metrics.pools)) lines.push(`${name}{pool="${pool}"} ${numbers[what]}`);
  }
  return `${lines.join('\n')}\n`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
