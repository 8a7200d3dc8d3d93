import type { Job, Run } from '@horae/time-ring';
import { Badge, Empty, Message, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { AuditEntry } from '../../wire/accounts.js';
import { Facts, JsonText, Loading, ProblemText, SureButton } from '../parts/common.jsx';
import { Sparkline } from '../parts/hour-chart.jsx';
import { RunTable } from '../parts/run-table.jsx';
import { scheduleText } from '../parts/schedule-text.js';
import { durationText, When } from '../parts/when.jsx';
import { addressOf, go } from '../talk/address.js';
import { change } from '../talk/api.js';
import { useLive } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { AuditTable } from './audit-page.jsx';
import { CronHelp } from './cron-help.jsx';
import { JobButtons } from './jobs-page.jsx';

/** One job: when it runs, how it went, how it is set. */
export function JobPage({ id }: { id: string }) {
  const words = useWords();
  const may = useMay();
  const { data: job, problem, again } = useAsk<Job>(`admin/jobs/${id}`);
  const runs = useAsk<{ runs: readonly Run[] }>('admin/runs', { jobId: id, limit: 40 });
  const [removed, setRemoved] = useState<Job | null>(null);
  useLive('job-', again);
  useLive('run-', runs.again);
  if (removed !== null) return <Removed job={removed} />;
  if (job === null) return problem === null ? <Loading /> : <ProblemText text={problem} />;
  const remove = () =>
    attempt(async () => {
      await change('DELETE', `admin/jobs/${job.id}`);
      setRemoved(job);
    });
  return (
    <div class="stack">
      <Panel
        title={job.name}
        note={job.description}
        actions={
          <span class="row">
            {may('operator') ? <JobButtons job={job} again={again} /> : null}
            {may('editor') ? (
              <>
                <a class="button button-small" href={addressOf(`jobs/${job.id}/edit`)}>
                  {words.edit}
                </a>
                <a class="button button-small" href={addressOf('jobs/new', { copy: String(job.id) })}>
                  {words.jobs.copy}
                </a>
                <SureButton label={words.remove} onSure={remove} />
              </>
            ) : null}
          </span>
        }
      >
        {job.stopReason === null ? null : (
          <Message tone="warn">
            {words.job.stoppedBecause} {job.stopReason.message}
          </Message>
        )}
        <JobFacts job={job} />
        <CronHelp schedule={job.schedule} except={job.except} onUse={() => {}} />
      </Panel>
      <Panel title={words.job.timeline}>
        <Durations runs={runs.data?.runs ?? []} />
        <RunTable runs={runs.data?.runs ?? []} label={words.job.timeline} isOfOneJob />
      </Panel>
      <Panel title={words.form.json}>
        <details>
          <summary>{words.form.json}</summary>
          <JsonText value={job} label={words.form.json} />
        </details>
      </Panel>
      <Panel title={words.job.history}>
        <History jobId={job.id} updatedAt={job.updatedAt} />
      </Panel>
    </div>
  );
}

function JobFacts({ job }: { job: Job }) {
  const words = useWords();
  const labels = Object.entries(job.labels);
  return (
    <Facts
      facts={[
        [
          words.state,
          <Badge key="state" tone={job.state === 'RUNNING' ? 'good' : 'plain'}>
            {job.state === 'RUNNING' ? words.jobs.started : words.jobs.stopped}
          </Badge>,
        ],
        [
          words.jobs.schedule,
          <span key="schedule" class="mono">
            {scheduleText(job.schedule, words)}
          </span>,
        ],
        [words.jobs.next, <When key="next" at={job.nextAt} />],
        [
          words.jobs.handler,
          <span key="handler" class="mono">
            {job.handler}
          </span>,
        ],
        [words.jobs.group, job.executorGroup],
        [words.form.key, job.key ?? '–'],
        [words.form.owner, job.owner === '' ? '–' : job.owner],
        [
          words.form.labels.split(',')[0]!,
          labels.length === 0 ? '–' : labels.map(([name, value]) => <Badge key={name}>{`${name}=${value}`}</Badge>),
        ],
        [words.form.retries, job.retries],
        [words.form.misfire, job.misfire],
        [words.form.route, job.route],
        [words.form.block, job.block],
        [
          words.title.alerts,
          job.alerts.length === 0
            ? '–'
            : job.alerts.map(({ on, channel }) => (
                <Badge key={`${on} ${channel}`}>{`${words.alerts.causes[on] ?? on} → ${channel}`}</Badge>
              )),
        ],
      ]}
    />
  );
}

function Durations({ runs }: { runs: readonly Run[] }) {
  const words = useWords();
  const over = runs.filter(({ startedAt, endedAt }) => startedAt !== null && endedAt !== null).reverse();
  if (over.length < 2) return null;
  const values = over.map(({ startedAt, endedAt, state }) => ({
    ms: endedAt! - startedAt!,
    tone: state === 'succeeded' ? ('good' as const) : ('bad' as const),
  }));
  const longest = durationText(Math.max(...values.map(({ ms }) => ms)));
  return (
    <div class="row">
      <Sparkline values={values} label={`${words.job.durations(over.length)}, ${words.overview.longest} ${longest}`} />
      <span class="soft small">
        {words.overview.longest} {longest}
      </span>
    </div>
  );
}

function History({ jobId, updatedAt }: { jobId: number; updatedAt: number }) {
  const words = useWords();
  const { data } = useAsk<{ entries: readonly AuditEntry[] }>('console/audit', { jobId, limit: 20, v: updatedAt });
  if (data === null) return <Loading />;
  return data.entries.length === 0 ? <Empty>{words.job.noHistory}</Empty> : <AuditTable entries={data.entries} />;
}

/** A removal can be taken back: the same settings become a job again, under a new id. */
function Removed({ job }: { job: Job }) {
  const words = useWords();
  const { id, state, stopReason, lastAt, nextAt, createdAt, updatedAt, ...settings } = job;
  const undo = () =>
    attempt(async () => {
      const start = state === 'RUNNING';
      const { namespace: _, ...input } = settings as typeof settings & { namespace?: unknown };
      go(`jobs/${(await change<Job>('POST', 'admin/jobs', { ...input, start })).id}`);
    });
  return (
    <Panel title={words.title.job}>
      <div class="row">
        <span role="status">{words.jobs.removed(job.name)}</span>
        <button type="button" class="button button-small" onClick={undo}>
          {words.undo}
        </button>
        <a class="button button-small" href={addressOf('jobs')}>
          {words.back}
        </a>
      </div>
    </Panel>
  );
}
