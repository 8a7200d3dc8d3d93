import { Loading, Message, Panel } from '@horae-tooling/design/parts';
import { useState } from 'preact/hooks';
import type { RingSnapshot } from '../../../wire/ring.js';
import { useTopic } from '../../live/live-store.js';
import { JobForm } from './job-form.jsx';
import { JobTable } from './job-table.jsx';
import { LatenessPlot } from './lateness-plot.jsx';
import { NodesPanel } from './nodes-panel.jsx';
import { Pools } from './pools.jsx';
import { RingDial } from './ring-dial.jsx';
import { RunLog } from './run-log.jsx';
import { RunTable } from './run-table.jsx';
import './ring.css';

export function RingPage() {
  const ring = useTopic<RingSnapshot>('ring');
  const [logOf, setLogOf] = useState<number | null>(null);
  if (ring === null) return <Loading what="the ring" />;
  const isResting = ring.status === 'stopped';
  return (
    <div class="stack">
      {isResting ? (
        <Message tone="warn">This node rests. What is due meanwhile is missed, unless another node is up.</Message>
      ) : ring.problem === null ? null : (
        <Message tone="bad">{ring.problem}</Message>
      )}
      <div class="columns">
        <Panel title="The ring" note="sixty slots, a second each" class="wide-5">
          <RingDial ring={ring} />
        </Panel>
        <div class="wide-7 stack">
          <Panel
            title="How late runs start"
            note={`the latest ${ring.lateness.reduce((a, b) => a + b, 0)} scheduled ones`}
          >
            <LatenessPlot lateness={ring.lateness} />
          </Panel>
          <Panel title="Pools and counters">
            <Pools ring={ring} />
          </Panel>
        </div>
        <Panel
          title="Jobs"
          class="wide-12"
          actions={
            <a class="button button-small" href="console/">
              Open the console
            </a>
          }
        >
          <JobTable jobs={ring.jobs} isResting={isResting} />
          <JobForm />
        </Panel>
        <div class="wide-8 stack">
          <Panel title="Runs" note="newest first">
            <RunTable runs={ring.runs} chosen={logOf} onLog={setLogOf} />
          </Panel>
        </div>
        <div class="wide-4 stack">
          <RunLog runId={logOf} run={ring.runs.find(({ id }) => id === logOf) ?? null} />
          <NodesPanel ring={ring} />
        </div>
      </div>
    </div>
  );
}
