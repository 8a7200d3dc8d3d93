import type { Run } from '@horae/time-ring';
import { Button, Field, Panel } from '@horae-tooling/design/parts';
import { attempt, say } from '@horae-tooling/design/toasts';
import { Choice, Loading, ProblemText, SureButton } from '../parts/common.jsx';
import { RunTable } from '../parts/run-table.jsx';
import { TextField } from '../parts/text-field.jsx';
import { type Address, replaceQuery } from '../talk/address.js';
import { change } from '../talk/api.js';
import { useLive } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { usePages } from '../talk/use-pages.js';
import { useWords } from '../words/language.js';

const names = ['state', 'triggerType', 'jobId', 'from', 'to', 'text'] as const;
type Filters = Record<(typeof names)[number], string>;

/** Every run, live; the filters are in the address. */
export function RunsPage({ address }: { address: Address }) {
  const words = useWords();
  const may = useMay();
  const filters = Object.fromEntries(names.map((name) => [name, address.query.get(name) ?? ''])) as Filters;
  const set = (changed: Partial<Filters>) => replaceQuery('runs', { ...filters, ...changed });
  const query = {
    ...(filters.state === 'dead' ? { dead: true } : { state: filters.state }),
    ...{ triggerType: filters.triggerType, jobId: filters.jobId },
    ...{ from: instant(filters.from), to: instant(filters.to), text: filters.text },
  };
  const { items: runs, problem, more, again } = usePages<Run>('admin/runs', 'runs', { ...query, limit: 50 });
  useLive('run-', again);
  const retryAll = () =>
    attempt(async () => {
      const filter = Object.fromEntries(
        Object.entries(query).filter(([, value]) => value !== '' && value !== undefined),
      );
      const failed = filters.state === 'dead' ? { dead: true } : { state: 'failed' };
      const body = { ...filter, ...failed, ...(filters.jobId === '' ? {} : { jobId: Number(filters.jobId) }) };
      const { retried } = await change<{ retried: number }>('POST', 'admin/runs/retry', body);
      say(words.runs.retriedMany(retried));
      again();
    });
  return (
    <Panel
      title={words.title.runs}
      actions={
        may('operator') && (filters.state === 'failed' || filters.state === 'dead') ? (
          <SureButton label={words.runs.retryAll} onSure={retryAll} />
        ) : null
      }
    >
      <RunFilters filters={filters} set={set} />
      <ProblemText text={problem} />
      {runs === null ? problem === null ? <Loading /> : null : <RunTable runs={runs} label={words.title.runs} />}
      {more === null ? null : (
        <div class="row">
          <Button onClick={more}>{words.more}</Button>
          {filters.text === '' ? null : <span class="soft small">{words.runs.further}</span>}
        </div>
      )}
    </Panel>
  );
}

function RunFilters({ filters, set }: { filters: Filters; set: (changed: Partial<Filters>) => void }) {
  const words = useWords();
  const pick = (name: 'state' | 'triggerType', label: string, texts: Readonly<Record<string, string>>) => (
    <Field label={label}>
      <Choice
        value={filters[name]}
        options={[['', words.all], ...Object.entries(texts)]}
        onChange={(value) => set({ [name]: value })}
      />
    </Field>
  );
  return (
    <div class="row row-end filters">
      {pick('state', words.state, { ...words.runs.states, dead: words.runs.dead })}
      {pick('triggerType', words.runs.type, words.runs.types)}
      <TextField
        label={`${words.runs.job} (id)`}
        inputMode="numeric"
        pattern="\d*"
        value={filters.jobId}
        onText={(text) => set({ jobId: text.replace(/\D/g, '') })}
      />
      <TextField label={words.search} type="search" value={filters.text} onText={(text) => set({ text })} />
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          label={words.runs[name]}
          type="datetime-local"
          value={filters[name]}
          onText={(text) => set({ [name]: text })}
        />
      ))}
    </div>
  );
}

function instant(local: string): number | undefined {
  const at = local === '' ? Number.NaN : new Date(local).getTime();
  return Number.isNaN(at) ? undefined : at;
}
