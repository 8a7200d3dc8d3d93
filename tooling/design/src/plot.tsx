import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

/** The colour behind a token, as a canvas needs it. */
export function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

export interface PlotProps {
  readonly label: string;
  readonly height: number;
  readonly data: uPlot.AlignedData;
  /** Called again when the theme changes. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>;
}

/** A plot that follows its width, its data and the theme. */
export function Plot({ label, height, data, options }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const theme = useTheme();
  // data has its own effect; a new theme makes a new plot.
  useEffect(() => {
    const element = place.current!;
    const width = () => Math.max(200, element.clientWidth);
    const made = new uPlot({ ...options(), width: width(), height }, latest.current, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: width(), height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [theme, height]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={place} class="plot" role="img" aria-label={label} />;
}

function useTheme(): string {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? '');
  useEffect(() => {
    const follow = () => setTheme(document.documentElement.dataset.theme ?? '');
    addEventListener('horae-theme', follow);
    return () => removeEventListener('horae-theme', follow);
  }, []);
  return theme;
}

/** Axes in the page's own type and colours. */
export function quietAxis(extra: Partial<uPlot.Axis> = {}): uPlot.Axis {
  return {
    stroke: colour('--ink-soft'),
    font: '11px "Inter Variable", system-ui, sans-serif',
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    size: 28,
    ...extra,
  };
}

export const bars = uPlot.paths.bars!;
