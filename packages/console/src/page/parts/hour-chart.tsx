export interface Bar {
  readonly at: number;
  readonly good: number;
  readonly bad: number;
  /** What stands below it; most have nothing. */
  readonly mark: string;
}

const WIDTH = 720;
const HEIGHT = 120;

/** Runs by hour or day: what succeeded below, what failed on top. */
export function RunChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg class="drawing run-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT + 16}`} role="img" aria-label={label}>
      {bars.map(({ at, good, bad, mark }, index) => {
        const goodHeight = (good / most) * HEIGHT;
        const badHeight = (bad / most) * HEIGHT;
        const place = { x: index * step + 1, width: Math.max(1, step - 2) };
        return (
          <g key={at}>
            <rect {...place} y={HEIGHT - goodHeight} height={goodHeight} class="bar-good" />
            <rect {...place} y={HEIGHT - goodHeight - badHeight} height={badHeight} class="bar-bad" />
            <text x={place.x} y={HEIGHT + 13} class="soft" font-size="11">
              {mark}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The durations of runs, the oldest first; one that failed is marked. */
export function Sparkline({ values, label }: { values: readonly { ms: number; isBad: boolean }[]; label: string }) {
  const most = Math.max(1, ...values.map(({ ms }) => ms));
  const step = 240 / Math.max(1, values.length);
  return (
    <svg class="sparkline" viewBox="0 0 240 36" role="img" aria-label={label}>
      {values.map(({ ms, isBad }, index) => {
        const height = Math.max(2, (ms / most) * 34);
        return (
          <rect
            key={index}
            x={index * step}
            y={36 - height}
            width={Math.max(1, step - 1)}
            height={height}
            class={isBad ? 'bar-bad' : 'bar-good'}
          />
        );
      })}
    </svg>
  );
}
