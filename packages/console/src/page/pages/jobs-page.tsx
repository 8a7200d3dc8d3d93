import type { Job, Run } from '@horae/time-ring';
import { Badge, Button, Empty, Field, Panel } from '@horae-tooling/design/parts';
import { attempt, say } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import { Choice, Loading, ProblemText, TableArea } from '../parts/common.jsx';
import { RecentBars } from '../parts/recent-bars.jsx';
import { scheduleText } from '../parts/schedule-text.js';
import { TextField } from '../parts/text-field.jsx';
import { When } from '../parts/when.jsx';
import { type Address, addressOf, replaceQuery } from '../talk/address.js';
import { change } from '../talk/api.js';
import { useLive } from '../talk/live.js';
import { useRecentRuns } from '../talk/recent-runs.js';
import { useMay } from '../talk/rights.js';
import { usePages } from '../talk/use-pages.js';
import { useWords } from '../words/language.js';

/** Every job: search, filters, and what can be done to many at once. */
export function JobsPage({ address }: { address: Address }) {
  const words = useWords();
  const may = useMay();
  const { query } = address;
  const filters = {
    text: query.get('text') ?? '',
    state: query.get('state') ?? '',
    executorGroup: query.get('executorGroup') ?? '',
  };
  const set = (changed: Partial<typeof filters>) => replaceQuery('jobs', { ...filters, ...changed });
  const { items: jobs, problem, more, again } = usePages<Job>('admin/jobs', 'jobs', { ...filters, limit: 50 });
  useLive('job-', again);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <Panel
      title={words.title.jobs}
      actions={
        may('editor') ? (
          <a class="button button-primary" href={addressOf('jobs/new')}>
            {words.jobs.new}
          </a>
        ) : null
      }
    >
      <JobFilters filters={filters} set={set} />
      {chosen.size > 0 && may('operator') ? (
        <Bulk
          chosen={chosen}
          onDone={() => {
            setChosen(new Set());
            again();
          }}
        />
      ) : null}
      <ProblemText text={problem} />
      {jobs === null ? (
        problem === null ? (
          <Loading />
        ) : null
      ) : jobs.length === 0 ? (
        <Empty>{isFiltered ? words.jobs.noneFound : words.jobs.empty}</Empty>
      ) : (
        <JobTable jobs={jobs} chosen={chosen} choose={setChosen} again={again} />
      )}
      {more === null ? null : <Button onClick={more}>{words.more}</Button>}
    </Panel>
  );
}

interface Filters {
  readonly text: string;
  readonly state: string;
  readonly executorGroup: string;
}

function JobFilters({ filters, set }: { filters: Filters; set: (changed: Partial<Filters>) => void }) {
  const words = useWords();
  return (
    <div class="row row-end filters">
      <TextField
        label={words.jobs.searchFor}
        class="grow"
        type="search"
        value={filters.text}
        onText={(text) => set({ text })}
      />
      <Field label={words.state}>
        <Choice
          value={filters.state}
          options={[
            ['', words.all],
            ['RUNNING', words.jobs.started],
            ['STOPPED', words.jobs.stopped],
          ]}
          onChange={(state) => set({ state })}
        />
      </Field>
      <TextField
        label={words.jobs.group}
        value={filters.executorGroup}
        onText={(text) => set({ executorGroup: text })}
      />
    </div>
  );
}

function JobTable(props: {
  jobs: readonly Job[];
  chosen: ReadonlySet<number>;
  choose: (chosen: ReadonlySet<number>) => void;
  again: () => void;
}) {
  const words = useWords();
  const may = useMay();
  const recent = useRecentRuns(props.jobs.map(({ id }) => id));
  const toggle = (id: number) => {
    const next = new Set(props.chosen);
    if (!next.delete(id)) next.add(id);
    props.choose(next);
  };
  return (
    <TableArea label={words.title.jobs}>
      <thead>
        <tr>
          {may('operator') ? <td /> : null}
          <th scope="col">{words.name}</th>
          <th scope="col">{words.state}</th>
          <th scope="col">{words.jobs.schedule}</th>
          <th scope="col">{words.jobs.handler}</th>
          <th scope="col">{words.jobs.group}</th>
          <th scope="col">{words.jobs.recent}</th>
          <th scope="col">{words.jobs.next}</th>
          {may('operator') ? <td /> : null}
        </tr>
      </thead>
      <tbody>
        {props.jobs.map((job) => (
          <tr key={job.id} data-job={job.name}>
            {may('operator') ? (
              <td>
                <input
                  type="checkbox"
                  aria-label={words.jobs.choose(job.name)}
                  checked={props.chosen.has(job.id)}
                  onChange={() => toggle(job.id)}
                />
              </td>
            ) : null}
            <td>
              <a href={addressOf(`jobs/${job.id}`)}>{job.name}</a>
              {job.key === null ? null : <span class="soft tiny mono"> {job.key}</span>}
            </td>
            <td>
              <Badge tone={job.state === 'RUNNING' ? 'good' : 'plain'}>
                {job.state === 'RUNNING' ? words.jobs.started : words.jobs.stopped}
              </Badge>
            </td>
            <td class="mono">{scheduleText(job.schedule, words)}</td>
            <td class="mono">{job.handler}</td>
            <td>{job.executorGroup}</td>
            <td>
              <RecentBars runs={recent.get(job.id)} />
            </td>
            <td>
              <When at={job.nextAt} />
            </td>
            {may('operator') ? (
              <td class="row">
                <JobButtons job={job} again={props.again} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

/** Start or stop, and trigger. */
export function JobButtons({ job, again }: { job: Job; again: () => void }) {
  const words = useWords();
  const verb = job.state === 'RUNNING' ? 'stop' : 'start';
  const label = verb === 'stop' ? words.jobs.stop : words.jobs.start;
  return (
    <>
      {job.schedule.kind === 'none' ? null : (
        <Button
          small
          aria-label={`${label} ${job.name}`}
          onClick={async () => {
            await attempt(() => change('POST', `admin/jobs/${job.id}/${verb}`));
            again();
          }}
        >
          {label}
        </Button>
      )}
      <Button
        small
        aria-label={`${words.jobs.trigger} ${job.name}`}
        onClick={() =>
          attempt(async () => say(words.jobs.triggered((await change<Run>('POST', `admin/jobs/${job.id}/trigger`)).id)))
        }
      >
        {words.jobs.trigger}
      </Button>
    </>
  );
}

function Bulk({ chosen, onDone }: { chosen: ReadonlySet<number>; onDone: () => void }) {
  const words = useWords();
  const all = (verb: string) => async () => {
    let done = 0;
    await attempt(async () => {
      for (const id of chosen) {
        await change('POST', `admin/jobs/${id}/${verb}`);
        done++;
      }
    });
    say(words.jobs.done(done));
    onDone();
  };
  return (
    <div class="row bulk">
      <span>{words.jobs.chosen(chosen.size)}</span>
      <Button small onClick={all('start')}>
        {words.jobs.start}
      </Button>
      <Button small onClick={all('stop')}>
        {words.jobs.stop}
      </Button>
      <Button small onClick={all('trigger')}>
        {words.jobs.trigger}
      </Button>
    </div>
  );
}
