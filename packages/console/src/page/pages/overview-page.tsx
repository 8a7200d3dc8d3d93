import type { RingHealth, Run } from '@horae/time-ring';
import { Badge, Empty, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import { Loading, ProblemText } from '../parts/common.jsx';
import type { Figures, Report } from '../parts/report.js';
import { RunTable } from '../parts/run-table.jsx';
import { durationText, When } from '../parts/when.jsx';
import { addressOf } from '../talk/address.js';
import { useLive, useLookForLost } from '../talk/live.js';
import { useNodes } from '../talk/nodes.js';
import { useSeesAll } from '../talk/rights.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { History } from './run-history.jsx';

const HOUR = 3_600_000;
const REFRESH_MS = 60_000;
/** A report reads all runs of its time. */
const REPORT_EVERY_MS = 5_000;

/** Running, waiting and failing runs now, and the last day. */
export function OverviewPage() {
  const words = useWords();
  const to = useHourEnd();
  const report = useAsk<Report>('admin/report', { from: to - 24 * HOUR, to });
  const health = useAsk<RingHealth>('admin/health');
  const failures = useAsk<{ runs: readonly Run[] }>('admin/runs', { state: 'failed', limit: 8 });
  const running = useAsk<{ runs: readonly Run[] }>('admin/runs', { state: 'running', limit: 8 });
  useLive('run-', failures.again);
  useLive('run-', running.again);
  useLive('run-', report.again, REPORT_EVERY_MS);
  useLive('run-', health.again);
  if (report.data === null) return report.problem === null ? <Loading /> : <ProblemText text={report.problem} />;
  const { hours, open } = report.data;
  const sum = (state: 'succeeded' | 'failed') => hours.reduce((total, hour) => total + hour[state], 0);
  return (
    <div class="stack">
      <ProblemText text={report.problem} />
      <ul class="tiles">
        <Tile number={open.running} text={words.overview.running} href={addressOf('runs', { state: 'running' })} />
        <Tile number={open.queued} text={words.overview.queued} href={addressOf('runs', { state: 'queued' })} />
        <Tile number={open.pending} text={words.overview.waiting} href={addressOf('runs', { state: 'pending' })} />
        <Tile
          number={open.late}
          text={words.overview.late}
          href={addressOf('runs', { state: 'pending' })}
          isBad={open.late > 0}
        />
        <Tile
          number={report.data.dead}
          text={words.overview.dead}
          href={addressOf('runs', { state: 'dead' })}
          isBad={report.data.dead > 0}
        />
        <Tile
          number={sum('failed')}
          text={words.overview.failed}
          href={addressOf('runs', { state: 'failed' })}
          isBad={sum('failed') > 0}
        />
        <Tile
          number={sum('succeeded')}
          text={words.overview.succeeded}
          href={addressOf('runs', { state: 'succeeded' })}
        />
      </ul>
      <History day={report.data} to={to} />
      <Details report={report.data} health={health.data} />
      <Panel title={words.title.runs} note={words.overview.running}>
        <RunTable runs={running.data?.runs ?? []} label={words.overview.running} />
      </Panel>
      <Panel title={words.overview.latestFailures}>
        <RunTable runs={failures.data?.runs ?? []} label={words.overview.latestFailures} />
      </Panel>
    </div>
  );
}

function Details({ report: { failing, slowest }, health }: { report: Report; health: RingHealth | null }) {
  const words = useWords();
  const waiting = Object.entries(health?.waiting ?? {}).filter(([, count]) => count > 0);
  return (
    <div class="columns">
      <Panel title={words.overview.failing} class="wide-6">
        {failing.length === 0 ? (
          <Empty>{words.overview.nothingFails}</Empty>
        ) : (
          <FigureList figures={failing} show={({ failed, runs }) => words.overview.ofRuns(failed, runs)} />
        )}
      </Panel>
      <Panel title={words.overview.slowest} class="wide-6">
        {slowest.length === 0 ? (
          <Empty>{words.overview.noRuns}</Empty>
        ) : (
          <FigureList
            figures={slowest}
            show={({ meanMs, maxMs }) =>
              `${words.overview.mean} ${durationText(meanMs ?? 0)}, ${words.overview.longest} ${durationText(maxMs ?? 0)}`
            }
          />
        )}
      </Panel>
      <Panel title={words.overview.waitingFor} class="wide-6">
        {waiting.length === 0 ? (
          <Empty>{words.overview.nothingWaits}</Empty>
        ) : (
          <ul class="plain-list">
            {waiting.map(([reason, count]) => (
              <li key={reason}>
                <Badge tone="warn">{count}</Badge> {words.overview.reasons[reason] ?? reason}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title={words.overview.nodes} class="wide-6">
        {health === null ? <Loading /> : <Nodes health={health} />}
      </Panel>
    </div>
  );
}

function Nodes({ health }: { health: RingHealth }) {
  const words = useWords();
  const seesAll = useSeesAll();
  const executors = useAsk<{ executors: readonly unknown[] }>('admin/executors');
  useLive('executor-', executors.again);
  useLookForLost(executors.again);
  const others = useNodes(seesAll).filter(({ nodeId }) => nodeId !== health.nodeId);
  return (
    <ul class="plain-list">
      <li>
        <Badge tone={health.status === 'ok' ? 'good' : 'bad'}>{health.status}</Badge>{' '}
        <span class="mono">{health.nodeId}</span> <span class="soft">({words.overview.node})</span>{' '}
        {health.problem ?? ''}
      </li>
      {others.map(({ nodeId, beatAt, standing }) => (
        <li key={nodeId} data-node={nodeId}>
          <Badge tone={standing === 'alive' ? 'good' : 'bad'}>{words.overview.standings[standing]}</Badge>{' '}
          <span class="mono">{nodeId}</span>{' '}
          <span class="soft">
            {words.executors.heartbeat} <When at={beatAt} />
          </span>
        </li>
      ))}
      <li>
        <a href={addressOf('executors')}>{words.overview.executors(executors.data?.executors.length ?? 0)}</a>
      </li>
    </ul>
  );
}

function Tile(props: { number: number; text: string; href: string; isBad?: boolean }) {
  return (
    <li>
      <a class={`tile ${props.isBad === true ? 'tile-bad' : ''}`} href={props.href}>
        <strong class="number">{props.number}</strong>
        <span>{props.text}</span>
      </a>
    </li>
  );
}

function FigureList({ figures, show }: { figures: readonly Figures[]; show: (figures: Figures) => string }) {
  return (
    <ul class="plain-list">
      {figures.map((one) => (
        <li key={one.jobId}>
          <a href={addressOf(`jobs/${one.jobId}`)}>{one.name ?? `#${one.jobId}`}</a>{' '}
          <span class="soft number">{show(one)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The end of this hour, moved on as time goes. */
function useHourEnd(): number {
  const [to, setTo] = useState(() => Math.ceil((Date.now() + 1) / HOUR) * HOUR);
  useEffect(() => {
    const timer = setInterval(() => setTo(Math.ceil((Date.now() + 1) / HOUR) * HOUR), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return to;
}
