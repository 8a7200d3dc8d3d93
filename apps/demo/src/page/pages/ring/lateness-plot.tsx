import { bars, colour, Plot, quietAxis } from '@horae-tooling/design/plot';
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { latenessBounds } from '../../../wire/ring.js';

const names = [...latenessBounds.map((bound) => `< ${bound}`), 'more'];

/** A histogram in milliseconds. */
export function LatenessPlot({ lateness }: { lateness: readonly number[] }) {
  const data = useMemo(
    (): uPlot.AlignedData => [names.map((_, i) => i), names.map((_, i) => lateness[i] ?? 0)],
    [lateness],
  );
  return <Plot label="Lateness of starts in milliseconds" height={190} data={data} options={options} />;
}

function options(): Omit<uPlot.Options, 'width' | 'height'> {
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 8, 0, 0],
    scales: {
      x: { time: false, range: [-0.6, names.length - 0.4] },
      y: { range: (_plot, _least, most) => [0, Math.max(5, most ?? 5)] },
    },
    axes: [
      quietAxis({
        splits: () => names.map((_, i) => i),
        values: (_plot, splits) => splits.map((i) => `${names[i]}${i === 0 ? ' ms' : ''}`),
        grid: { show: false },
      }),
      quietAxis({ size: 38, incrs: [1, 2, 5, 10, 20, 50, 100, 200] }),
    ],
    series: [
      {},
      {
        fill: colour('--engine-ring'),
        width: 0,
        paths: bars({ size: [0.75, 80], radius: 0.15 }),
        points: { show: false },
      },
    ],
  };
}
