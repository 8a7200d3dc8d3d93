import { Panel } from '@horae-tooling/design/parts';
import type { BatchOutcome } from '../../../wire/rewrites.js';

const ROW = 30;
const WIDTH = 300;

/** All rewrites in waves: inside a wave any order has the same result. */
export function Waves({ outcome }: { outcome: BatchOutcome }) {
  const { waves } = outcome;
  const most = Math.max(1, ...waves.map((wave) => wave.length));
  const column = WIDTH / Math.max(1, waves.length);
  return (
    <Panel title="Waves" note={`${waves.length} after each other`} class="wide-4">
      <svg
        class="drawing"
        viewBox={`0 0 ${WIDTH} ${24 + most * ROW}`}
        role="img"
        aria-label={waves.map((wave, i) => `Wave ${i + 1}: ${wave.join(', ')}`).join('. ')}
      >
        {waves.map((wave, i) => (
          <g key={wave.join()}>
            <text class="soft" font-size="10" x={i * column + 2} y={12}>
              wave {i + 1}
            </text>
            {wave.map((name, row) => (
              <g key={name}>
                <rect
                  x={i * column + 1}
                  y={20 + row * ROW}
                  width={column - 4}
                  height={ROW - 5}
                  rx="5"
                  fill="var(--engine-rewrites)"
                  opacity="0.18"
                />
                <text font-size="9.5" font-weight="560" x={i * column + 6} y={20 + row * ROW + 16}>
                  {shortened(name, column)}
                </text>
              </g>
            ))}
          </g>
        ))}
      </svg>
    </Panel>
  );
}

function shortened(name: string, width: number): string {
  const most = Math.max(3, Math.floor((width - 12) / 5.2));
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}
