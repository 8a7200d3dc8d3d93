import type { EngineName } from '../../../wire/overview.js';
import { engineWords } from './engine-words.js';

const WIDTH = 240;
const HEIGHT = 40;

/** One engine: how busy it was in the last minute, and what it did last. Leads to its page. */
export function EngineCard(props: { engine: EngineName; counts: readonly number[]; latest: string | null }) {
  const { engine, counts, latest } = props;
  const { title, about } = engineWords[engine];
  const most = Math.max(2, ...counts);
  const step = WIDTH / counts.length;
  return (
    <a class={`engine-card hue-${engine}`} href={`#/${engine}`}>
      <span class="engine-card-head">
        <span class="engine-card-title">{title}</span>
        <span class="engine-card-count number">{counts.reduce((a, b) => a + b, 0)}</span>
      </span>
      <span class="soft tiny engine-card-head">
        <span>{about}</span>
        <span>events a minute</span>
      </span>
      <svg class="drawing" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((count, i) => {
          const height = Math.max(1.5, (count / most) * HEIGHT);
          return (
            <rect
              key={i}
              x={i * step}
              y={HEIGHT - height}
              width={step - 1}
              height={height}
              rx="1"
              fill="var(--hue)"
              opacity={count === 0 ? 0.25 : 1}
            />
          );
        })}
      </svg>
      <span class="engine-card-latest small">{latest ?? 'Nothing yet'}</span>
    </a>
  );
}
