import type { RingSnapshot } from '../../../wire/ring.js';

/** Both pools, and what this node has done since its start. */
export function Pools({ ring }: { ring: RingSnapshot }) {
  const counters = Object.entries(ring.metrics);
  return (
    <div class="stack">
      <div class="pools">
        {(['fast', 'slow'] as const).map((name) => {
          const { running, queued } = ring.pools[name];
          return (
            <div key={name} class="pool">
              <span>
                <strong>{name} pool</strong>{' '}
                <span class="soft small number">
                  {running} running, {queued} queued
                </span>
              </span>
              <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
                <rect width="200" height="12" rx="4" fill="var(--sunken)" />
                <rect width={Math.min(200, running * 20)} height="12" rx="4" fill="var(--engine-ring)" />
              </svg>
            </div>
          );
        })}
      </div>
      <dl class="counters">
        {counters.map(([name, count]) => (
          <div key={name}>
            <dt class="soft tiny">{name}</dt>
            <dd class="number">{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
