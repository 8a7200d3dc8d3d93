import type { Run } from '@horae/time-ring';
import { Button, Empty, Panel } from '@horae-tooling/design/parts';
import { attempt, say } from '@horae-tooling/design/toasts';
import { Facts, JsonText, Loading, PlainText, ProblemText, StateBadge, SureButton } from '../parts/common.jsx';
import { RunTable } from '../parts/run-table.jsx';
import { durationText, When } from '../parts/when.jsx';
import { addressOf, go } from '../talk/address.js';
import { change } from '../talk/api.js';
import { useJobNames } from '../talk/job-names.js';
import { useLive } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { RunLog } from './run-log.jsx';

const isOver = ({ state }: Run) => ['succeeded', 'failed', 'killed', 'skipped'].includes(state);

type TracedRun = Run & { readonly traceId: string | null; readonly flowId: number | null };

/** One run: its events, its log, and the other attempts and shards of its fire. */
export function RunPage({ id }: { id: string }) {
  const words = useWords();
  const { data: run, problem, again } = useAsk<TracedRun>(`admin/runs/${id}`);
  const fire = useAsk<{ runs: readonly Run[] }>(run === null ? null : 'admin/runs', {
    fireId: run?.fireId,
    limit: 100,
  });
  useLive('run-', again);
  useLive('run-', fire.again);
  if (run === null) return problem === null ? <Loading /> : <ProblemText text={problem} />;
  return (
    <div class="stack">
      <Panel title={`${words.title.run} ${run.id}`} actions={<RunButtons run={run} again={again} />}>
        <RunFacts run={run} />
      </Panel>
      <Panel title={words.runs.log}>
        <RunLog id={run.id} isOver={isOver(run)} />
      </Panel>
      <div class="columns">
        <Panel title={words.runs.params} class="wide-6">
          <JsonText value={run.params ?? null} label={words.runs.params} />
        </Panel>
        <Panel title={words.runs.result} class="wide-6">
          {run.error === null ? (
            <JsonText value={run.result ?? run.message} label={words.runs.result} />
          ) : (
            <PlainText text={run.error.stack || `${run.error.name}: ${run.error.message}`} label={words.runs.error} />
          )}
        </Panel>
      </div>
      <Panel title={words.runs.attempts}>
        {fire.data === null ? (
          <Empty>{words.loading}</Empty>
        ) : (
          <RunTable runs={fire.data.runs} label={words.runs.attempts} isOfOneJob />
        )}
      </Panel>
    </div>
  );
}

function RunFacts({ run }: { run: TracedRun }) {
  const words = useWords();
  const names = useJobNames([run.jobId]);
  const took = run.startedAt === null || run.endedAt === null ? '–' : durationText(run.endedAt - run.startedAt);
  return (
    <Facts
      facts={[
        [words.state, <StateBadge key="state" state={run.state} />],
        [
          words.runs.job,
          <a key="job" href={addressOf(`jobs/${run.jobId}`)}>
            {names.get(run.jobId) ?? `#${run.jobId}`}
          </a>,
        ],
        [words.runs.type, words.runs.types[run.triggerType] ?? run.triggerType],
        [words.runs.scheduled, <When key="scheduled" at={run.scheduleTime} />],
        [words.runs.started, <When key="started" at={run.startedAt} />],
        [words.runs.took, took],
        [words.runs.where, run.address ?? '–'],
        [words.runs.attempt, run.attempt],
        [words.runs.shard, `${run.shardIndex + 1} / ${run.shardTotal}`],
        [words.runs.fire, run.fireId],
        ...(run.waitingFor === null
          ? []
          : [[words.runs.waitingFor, words.overview.reasons[run.waitingFor] ?? run.waitingFor] as const]),
        ...(run.progress === null ? [] : [[words.runs.progress, progressText(run.progress)] as const]),
        [words.runs.trace, run.traceId ?? '–'],
        ...(run.flowId === null
          ? []
          : [
              [
                words.title.flow,
                <a key="flow" href={addressOf(`flows/${run.flowId}`)}>
                  {run.flowId}
                </a>,
              ] as const,
            ]),
        [words.runs.message, run.message ?? '–'],
      ]}
    />
  );
}

function progressText({ fraction, note }: NonNullable<Run['progress']>): string {
  const share = fraction === null ? '' : `${Math.round(fraction * 100)} %`;
  return [share, note].filter((text) => text !== '').join(' · ');
}

function RunButtons({ run, again }: { run: Run; again: () => void }) {
  const words = useWords();
  const may = useMay();
  if (!may('operator')) return null;
  const end = (verb: 'kill' | 'cancel') => () =>
    attempt(async () => {
      const { killed, cancelled } = await change<{ killed?: boolean; cancelled?: boolean }>(
        'POST',
        `admin/runs/${run.id}/${verb}`,
      );
      say((killed ?? cancelled) === true ? words.runs.killed : words.runs.alreadyOver);
      again();
    });
  const retry = () =>
    attempt(async () => {
      const next = await change<Run>('POST', `admin/runs/${run.id}/retry`);
      say(words.runs.retried(next.id));
      go(`runs/${next.id}`);
    });
  if (!isOver(run)) {
    const verb = run.state === 'pending' ? 'cancel' : 'kill';
    return <SureButton label={words.runs[verb]} onSure={end(verb)} />;
  }
  if (run.state === 'succeeded') return null;
  return (
    <Button small onClick={retry}>
      {words.runs.retry}
    </Button>
  );
}
