import type { RecentRun } from '../talk/recent-runs.js';
import { useWords } from '../words/language.js';
import { Sparkline } from './hour-chart.jsx';
import { durationText } from './when.jsx';

/** The last runs of a job beside its name: how they ended and how long they took. Its place is as large before they are there. */
export function RecentBars({ runs }: { runs: readonly RecentRun[] | undefined }) {
  const words = useWords();
  const isEmpty = runs === undefined || runs.length === 0;
  return (
    <span class="recent-bars" data-recent={runs?.length}>
      {isEmpty ? null : <Sparkline size="small" values={runs.map(barOf).reverse()} label={recentText(runs, words)} />}
    </span>
  );
}

function barOf({ state, tookMs }: RecentRun) {
  const isOver = ['succeeded', 'failed', 'killed', 'skipped'].includes(state);
  return { ms: tookMs ?? 0, tone: !isOver ? 'open' : state === 'succeeded' ? 'good' : 'bad' } as const;
}

/** The same in words: `12 runs: 10 succeeded, 1 failed, 1 running; longest 3 s`. */
function recentText(runs: readonly RecentRun[], words: ReturnType<typeof useWords>): string {
  const counts = new Map<string, number>();
  for (const { state } of runs) counts.set(state, (counts.get(state) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${count} ${words.runs.states[state] ?? state}`);
  const longest = Math.max(...runs.map(({ tookMs }) => tookMs ?? 0));
  return `${words.jobs.recentRuns(runs.length)}: ${parts.join(', ')}; ${words.overview.longest} ${durationText(longest)}`;
}
