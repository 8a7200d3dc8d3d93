export interface Bar {
  readonly at: number;
  readonly good: number;
  readonly bad: number;
  /** The label below it; most have none. */
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

/** How a run ended; `open` has not. */
export interface RunBar {
  readonly ms: number;
  readonly tone: 'good' | 'bad' | 'open';
}

/** A large one has room for all runs, a small one for the last twelve. */
const sizes = { large: { class: 'sparkline', least: 1 }, small: { class: 'sparkline sparkline-small', least: 12 } };

/** The durations of runs, the oldest first; one that failed is marked. The newest stands at the right end. */
export function Sparkline(props: { values: readonly RunBar[]; label: string; size?: keyof typeof sizes }) {
  const { values, label, size = 'large' } = props;
  const most = Math.max(1, ...values.map(({ ms }) => ms));
  const slots = Math.max(sizes[size].least, values.length);
  const step = 240 / slots;
  return (
    <svg class={sizes[size].class} viewBox="0 0 240 36" preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map(({ ms, tone }, index) => {
        const height = Math.max(tone === 'bad' ? 12 : 4, (ms / most) * 34);
        return (
          <rect
            key={index}
            x={(slots - values.length + index) * step}
            y={36 - height}
            width={Math.max(1, step - (size === 'small' ? 4 : 1))}
            height={height}
            class={`bar-${tone}`}
          />
        );
      })}
    </svg>
  );
}
