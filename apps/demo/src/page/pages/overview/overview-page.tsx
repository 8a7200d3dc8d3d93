import { Empty, Loading, Panel } from '@horae-tooling/design/parts';
import { clockTime, span } from '@horae-tooling/design/times';
import { engines, type OverviewSnapshot } from '../../../wire/overview.js';
import { useNow, useTopic } from '../../live/live-store.js';
import { EngineCard } from './engine-card.jsx';
import { engineWords } from './engine-words.js';
import { FirstClicksPanel } from './first-clicks-panel.jsx';
import { MinutePlot } from './minute-plot.jsx';
import './overview.css';

export function OverviewPage() {
  const overview = useTopic<OverviewSnapshot>('overview');
  const now = useNow();
  if (overview === null) return <Loading what="what happens" />;
  return (
    <div class="stack">
      <FirstClicksPanel />
      <div class="engine-cards">
        {engines.map((engine) => (
          <EngineCard
            key={engine}
            engine={engine}
            counts={overview.perSecond[engine]}
            latest={overview.entries.find((entry) => entry.engine === engine)?.text ?? null}
          />
        ))}
      </div>
      <div class="columns">
        <Panel
          title="The last minute"
          note={`${total(overview)} events; up for ${span(Math.round((now - overview.startedAt) / 1000))}`}
          class="wide-7"
        >
          <MinutePlot overview={overview} />
        </Panel>
        <Panel title="What happened" class="wide-5">
          {overview.entries.length === 0 ? (
            <Empty>Nothing yet. It takes a second.</Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard.
            <ul class="feed" tabIndex={0} aria-label="What happened, newest first">
              {overview.entries.map(({ id, at, engine, text, tone }) => (
                <li key={id}>
                  <span class={`dot hue-${engine}`} title={engineWords[engine].title} />
                  <span class="soft number tiny">{clockTime(at)}</span>
                  <span class={`tone-${tone}`}>{text}</span>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </div>
  );
}

function total(overview: OverviewSnapshot): number {
  return engines.reduce((sum, engine) => sum + overview.perSecond[engine].reduce((a, b) => a + b, 0), 0);
}
