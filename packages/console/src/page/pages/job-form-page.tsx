import type { Job } from '@horae/time-ring';
import { blockStrategies, misfireStrategies, routeStrategies } from '@horae/time-ring/strategies';
import { Button, Field, Panel } from '@horae-tooling/design/parts';
import { say } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import { Choice, Loading, ProblemText } from '../parts/common.jsx';
import { draftOf, emptyDraft, exceptOf, intervalUnits, type JobDraft, jobOf, scheduleOf } from '../parts/job-draft.js';
import { RuleEditor } from '../parts/rule-editor.jsx';
import { TextArea, TextField } from '../parts/text-field.jsx';
import { addressOf, go } from '../talk/address.js';
import type { AlertsView } from '../talk/alerts.js';
import { change } from '../talk/api.js';
import { problemOf, useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { CronHelp } from './cron-help.jsx';

/** A new job, a copy of one, or a change of one. */
export function JobFormPage({ id, copyOf }: { id: string | null; copyOf: string | null }) {
  const from = id ?? copyOf;
  const { data: job, problem } = useAsk<Job>(from === null ? null : `admin/jobs/${from}`);
  if (from !== null && job === null) return problem === null ? <Loading /> : <ProblemText text={problem} />;
  const draft = job === null ? emptyDraft : draftOf(job);
  const first = copyOf === null ? draft : { ...draft, name: `${draft.name} (2)`, key: '' };
  return <JobForm first={first} id={id} />;
}

function JobForm({ first, id }: { first: JobDraft; id: string | null }) {
  const words = useWords();
  const [draft, setDraft] = useState(first);
  const [start, setStart] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const set = (changed: Partial<JobDraft>) => setDraft({ ...draft, ...changed });
  const save = async () => {
    try {
      const input = jobOf(draft);
      const willStart = start && draft.kind !== 'none';
      const job =
        id === null
          ? await change<Job>('POST', 'admin/jobs', { ...input, start: willStart })
          : await change<Job>('PATCH', `admin/jobs/${id}`, input);
      say(words.form.saved(job.name));
      go(`jobs/${job.id}`);
    } catch (error) {
      setProblem(error instanceof SyntaxError ? words.form.badJson : problemOf(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Panel title={words.jobs.schedule}>
        <ScheduleFields draft={draft} set={set} />
        <CronHelp schedule={scheduleOf(draft)} except={exceptOf(draft)} onUse={(expression) => set({ expression })} />
      </Panel>
      <Panel title={words.job.settings}>
        <SettingFields draft={draft} set={set} />
      </Panel>
      <AlertFields draft={draft} set={set} />
      {id === null && draft.kind !== 'none' ? (
        <label class="row">
          <input type="checkbox" checked={start} onChange={(event) => setStart(event.currentTarget.checked)} />{' '}
          {words.form.startNow}
        </label>
      ) : null}
      <ProblemText text={problem} />
      <div class="row">
        <Button kind="primary" type="submit">
          {words.save}
        </Button>
        <a class="button" href={id === null ? addressOf('jobs') : addressOf(`jobs/${id}`)}>
          {words.cancel}
        </a>
      </div>
    </form>
  );
}

type Fields = { draft: JobDraft; set: (changed: Partial<JobDraft>) => void };

function ScheduleFields({ draft, set }: Fields) {
  const words = useWords();
  const kinds = ['cron', 'fix-rate', 'fix-delay', 'interval', 'once', 'none'];
  return (
    <div class="job-fields">
      <Text label={words.name} name="name" draft={draft} set={set} isNeeded />
      <Text label={words.jobs.handler} name="handler" draft={draft} set={set} isNeeded isMono />
      <Field label={words.form.kind}>
        <Choice
          value={draft.kind}
          options={kinds.map((kind) => [kind, words.form.kinds[kind] ?? kind])}
          onChange={(kind) => set({ kind })}
        />
      </Field>
      {draft.kind === 'cron' ? (
        <>
          <Text label={words.form.expression} name="expression" draft={draft} set={set} isMono />
          <Field label={words.form.dialect}>
            <Choice
              value={draft.dialect}
              options={[
                ['quartz', 'Quartz'],
                ['posix', 'POSIX'],
                ['vixie', 'Vixie (crontab)'],
              ]}
              onChange={(dialect) => set({ dialect })}
            />
          </Field>
          <Text label={words.form.zone} name="zone" draft={draft} set={set} />
        </>
      ) : null}
      {draft.kind === 'fix-rate' || draft.kind === 'fix-delay' ? (
        <Text label={words.form.everySeconds} name="everySeconds" draft={draft} set={set} type="number" />
      ) : null}
      {draft.kind === 'interval' ? <IntervalFields draft={draft} set={set} /> : null}
      {draft.kind === 'once' ? (
        <Text label={words.form.at} name="at" draft={draft} set={set} type="datetime-local" />
      ) : null}
    </div>
  );
}

function IntervalFields({ draft, set }: Fields) {
  const words = useWords();
  return (
    <>
      <Text label={words.form.every} name="every" draft={draft} set={set} type="number" />
      <Field label={words.form.unit}>
        <Choice
          value={draft.unit}
          options={intervalUnits.map((unit) => [unit, words.form.units[unit]])}
          onChange={(unit) => set({ unit })}
        />
      </Field>
      <Text label={words.form.anchor} name="anchor" draft={draft} set={set} type="datetime-local" />
      <Text label={words.form.zone} name="zone" draft={draft} set={set} />
    </>
  );
}

function AlertFields({ draft, set }: Fields) {
  const words = useWords();
  const { data } = useAsk<AlertsView>('admin/alerts');
  const channels = (data?.channels ?? []).map(({ name }) => name);
  return (
    <Panel title={words.title.alerts} note={words.alerts.rulesNote}>
      <RuleEditor rules={draft.alerts} channels={channels} onChange={(alerts) => set({ alerts })} />
    </Panel>
  );
}

function SettingFields({ draft, set }: Fields) {
  const words = useWords();
  const plain = (text: string) => text.toLowerCase().replaceAll('_', ' ');
  const pick = (name: 'misfire' | 'route' | 'block', options: readonly string[]) => (
    <Field label={words.form[name]}>
      <Choice
        value={draft[name]}
        options={options.map((option) => [option, plain(option)])}
        onChange={(value) => set({ [name]: value })}
      />
    </Field>
  );
  return (
    <div class="job-fields">
      <Text label={words.jobs.group} name="executorGroup" draft={draft} set={set} isNeeded />
      <Text label={words.form.key} name="key" draft={draft} set={set} isMono />
      <Text label={words.form.owner} name="owner" draft={draft} set={set} />
      <Text label={words.form.description} name="description" draft={draft} set={set} />
      {pick('misfire', misfireStrategies)}
      {pick('route', routeStrategies)}
      {pick('block', blockStrategies)}
      <Text label={words.form.concurrency} name="concurrency" draft={draft} set={set} type="number" />
      <Text label={words.form.retries} name="retries" draft={draft} set={set} type="number" />
      <Text label={words.form.timeout} name="timeoutSeconds" draft={draft} set={set} type="number" />
      <Text label={words.form.priority} name="priority" draft={draft} set={set} type="number" />
      <Text label={words.form.calendars} name="except" draft={draft} set={set} />
      <TextArea
        label={words.form.params}
        class="wide"
        isMono
        rows={5}
        value={draft.params}
        onText={(text) => set({ params: text })}
      />
      <TextArea
        label={words.form.labels}
        class="wide"
        isMono
        rows={3}
        value={draft.labels}
        onText={(text) => set({ labels: text })}
      />
      <details class="wide">
        <summary>{words.form.more}</summary>
        <TextArea
          label={words.form.moreFields}
          isMono
          rows={6}
          value={draft.more}
          onText={(text) => set({ more: text })}
        />
      </details>
    </div>
  );
}

function Text(
  props: Fields & {
    label: string;
    name: Exclude<keyof JobDraft, 'alerts'>;
    type?: 'text' | 'number' | 'datetime-local';
    isMono?: boolean;
    isNeeded?: boolean;
  },
) {
  return (
    <TextField
      label={props.label}
      type={props.type ?? 'text'}
      {...(props.type === 'number' ? { step: 'any' } : {})}
      isMono={props.isMono === true}
      required={props.isNeeded === true}
      spellcheck={false}
      value={props.draft[props.name]}
      onText={(text) => props.set({ [props.name]: text })}
    />
  );
}
