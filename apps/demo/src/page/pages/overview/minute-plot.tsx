import { bars, colour, Plot, quietAxis } from '@horae-tooling/design/plot';
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { engines, type OverviewSnapshot } from '../../../wire/overview.js';

/** Events of every second, the engines on top of each other. */
export function MinutePlot({ overview }: { overview: OverviewSnapshot }) {
  const data = useMemo(() => stacked(overview), [overview]);
  return <Plot label="Events of the last sixty seconds, engine by engine" height={360} data={data} options={options} />;
}

/** Sums from the bottom up; the highest is drawn first, so that each bar shows its own part. */
function stacked({ perSecond }: OverviewSnapshot): uPlot.AlignedData {
  const seconds = Array.from({ length: 60 }, (_, i) => i - 59);
  let below = new Array<number>(60).fill(0);
  const sums = engines.map((engine) => {
    below = below.map((sum, i) => sum + perSecond[engine][i]!);
    return below;
  });
  return [seconds, ...sums.reverse()];
}

function options(): Omit<uPlot.Options, 'width' | 'height'> {
  const path = bars({ size: [0.8, 40], radius: 0 });
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 4, 0, 0],
    scales: { x: { time: false, range: [-60, 1] }, y: { range: (_plot, _least, most) => [0, Math.max(5, most ?? 5)] } },
    axes: [
      quietAxis({ values: (_plot, splits) => splits.map((s) => (s === 0 ? 'now' : `${s} s`)), grid: { show: false } }),
      quietAxis({ size: 34, incrs: [1, 2, 5, 10, 20, 50, 100, 500, 1000] }),
    ],
    series: [
      {},
      ...[...engines].reverse().map((engine) => ({
        fill: colour(`--engine-${engine}`),
        stroke: colour(`--engine-${engine}`),
        width: 0,
        paths: path,
        points: { show: false },
      })),
    ],
  };
}
