import { Panel } from '@horae-tooling/design/parts';
import { useState } from 'preact/hooks';
import { Choice, Loading } from '../parts/common.jsx';
import { RunChart } from '../parts/hour-chart.jsx';
import { dayBars, hourBars, type Report } from '../parts/report.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

const DAY = 86_400_000;

/** The last day by hour, or the last month by day. */
export function History({ day, to }: { day: Report; to: number }) {
  const words = useWords();
  const [period, setPeriod] = useState<'day' | 'month'>('day');
  const month = useAsk<Report>(period === 'day' ? null : 'admin/report', {
    ...{ from: to - 30 * DAY, to, figures: false },
  });
  const hours = period === 'day' ? day.hours : month.data?.hours;
  const bars = hours === undefined ? [] : (period === 'day' ? hourBars : dayBars)(hours, to);
  const total = (of: 'good' | 'bad') => bars.reduce((sum, bar) => sum + bar[of], 0);
  const options = [
    ['day', words.overview.last24],
    ['month', words.overview.last30],
  ] as const;
  return (
    <Panel
      title={period === 'day' ? words.overview.last24 : words.overview.last30}
      actions={<Choice label={words.overview.window} value={period} options={options} onChange={setPeriod} />}
    >
      {hours === undefined ? (
        <Loading />
      ) : (
        <RunChart bars={bars} label={words.overview.chartLabel(total('good'), total('bad'))} />
      )}
    </Panel>
  );
}
