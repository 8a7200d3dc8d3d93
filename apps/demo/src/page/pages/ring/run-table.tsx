import { Badge, Button, Empty, ScrollArea, type Tone } from '@horae-tooling/design/parts';
import { clockTime } from '@horae-tooling/design/times';
import { attempt, say } from '@horae-tooling/design/toasts';
import type { RingRunView } from '../../../wire/ring.js';
import { tell } from '../../live/ask-server.js';

const tones: Readonly<Record<RingRunView['state'], Tone>> = {
  pending: 'plain',
  queued: 'warn',
  running: 'accent',
  succeeded: 'good',
  failed: 'bad',
  killed: 'bad',
  skipped: 'warn',
};

export function RunTable(props: { runs: readonly RingRunView[]; chosen: number | null; onLog: (id: number) => void }) {
  if (props.runs.length === 0) return <Empty>Nothing has run yet. The first jobs fire within seconds.</Empty>;
  return (
    <ScrollArea label="Runs" class="runs">
      <table class="table runs-table">
        <thead>
          <tr>
            <th>Run</th>
            <th>Due</th>
            <th>State</th>
            <th>Where</th>
            <th>Took</th>
            <th>
              <span class="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.runs.map((run) => (
            <Row key={run.id} run={run} isChosen={run.id === props.chosen} onLog={props.onLog} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Row({ run, isChosen, onLog }: { run: RingRunView; isChosen: boolean; onLog: (id: number) => void }) {
  const isUnderWay = run.state === 'running' || run.state === 'queued';
  const kill = () =>
    attempt(async () => {
      const { killed } = await tell<{ killed: boolean }>('ring/runs/kill', { id: run.id });
      say(killed ? `Run ${run.id} is killed.` : `Run ${run.id} was already over.`);
    });
  return (
    <tr class={isChosen ? 'is-chosen' : ''} data-run={run.id} data-state={run.state}>
      <td>
        <strong>{run.jobName}</strong>{' '}
        <span class="soft tiny">
          {run.triggerType}
          {run.attempt > 1 ? `, attempt ${run.attempt}` : ''}
          {run.shard === null ? '' : `, shard ${run.shard}`}
        </span>
      </td>
      <td class="number soft">{run.scheduleTime === null ? '' : clockTime(run.scheduleTime)}</td>
      <td>
        <Badge tone={tones[run.state]} alive={run.state === 'running'}>
          {run.state}
        </Badge>{' '}
        <span class="tiny soft run-message">{run.message ?? ''}</span>
      </td>
      <td class="tiny soft">{run.address ?? ''}</td>
      <td class="number soft">{took(run)}</td>
      <td>
        <span class="row job-actions">
          {isUnderWay ? (
            <Button small kind="danger" aria-label={`Kill run ${run.id}`} onClick={kill}>
              Kill
            </Button>
          ) : null}
          <Button small aria-label={`Log of run ${run.id}`} onClick={() => onLog(run.id)}>
            Log
          </Button>
        </span>
      </td>
    </tr>
  );
}

function took({ startedAt, endedAt }: RingRunView): string {
  if (startedAt === null || endedAt === null) return '';
  const ms = endedAt - startedAt;
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
