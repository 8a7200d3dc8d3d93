import { Button, Field, Message } from '@horae-tooling/design/parts';
import { say } from '@horae-tooling/design/toasts';
import { blockStrategies, misfireStrategies, routeStrategies } from 'horae/ring/strategies';
import { useState } from 'preact/hooks';
import type { CronDialectName } from '../../../wire/cron.js';
import { handlerNames, type RingJobDraft } from '../../../wire/ring.js';
import { tell } from '../../live/ask-server.js';
import { DialectSelect } from '../cron/dialect-select.jsx';

type Kind = RingJobDraft['schedule']['kind'];

const first = {
  name: 'my job',
  handler: 'load' as RingJobDraft['handler'],
  kind: 'cron' as Kind,
  expression: '0/8 * * * * ?',
  dialect: 'quartz' as CronDialectName,
  everySeconds: 5,
  params: '',
  misfire: 'FIRE_ONCE_NOW' as RingJobDraft['misfire'],
  route: 'ROUND' as RingJobDraft['route'],
  block: 'SERIAL' as RingJobDraft['block'],
  retries: 1,
};

/** Describes a new job, and shows why the engine refuses one. */
export function JobForm() {
  const [draft, setDraft] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const set = <K extends keyof typeof first>(key: K, value: (typeof first)[K]) => setDraft({ ...draft, [key]: value });
  const add = async () => {
    try {
      await tell('ring/jobs', jobOf(draft));
      setProblem(null);
      say(`${draft.name} is added.`);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details class="job-form">
      <summary>Add a job</summary>
      <div class="job-fields">
        <Field label="Name">
          <input class="input" value={draft.name} onInput={(event) => set('name', event.currentTarget.value)} />
        </Field>
        <Choice label="Does" value={draft.handler} options={handlerNames} onChange={(value) => set('handler', value)} />
        <Choice
          label="Schedule"
          value={draft.kind}
          options={['cron', 'fix-rate', 'none'] as const}
          onChange={(value) => set('kind', value)}
        />
        {draft.kind === 'cron' ? (
          <>
            <Field label="Expression">
              <input
                class="input input-mono"
                value={draft.expression}
                spellcheck={false}
                onInput={(event) => set('expression', event.currentTarget.value)}
              />
            </Field>
            <Field label="Dialect">
              <DialectSelect value={draft.dialect} onChange={(dialect) => set('dialect', dialect)} />
            </Field>
          </>
        ) : draft.kind === 'fix-rate' ? (
          <Field label="Every, seconds">
            <input
              class="input"
              type="number"
              min={1}
              value={draft.everySeconds}
              onInput={(event) => set('everySeconds', Number(event.currentTarget.value))}
            />
          </Field>
        ) : (
          <span />
        )}
        <Choice label="Route" value={draft.route} options={routeStrategies} onChange={(value) => set('route', value)} />
        <Choice
          label="When busy"
          value={draft.block}
          options={blockStrategies}
          onChange={(value) => set('block', value)}
        />
        <Choice
          label="When missed"
          value={draft.misfire}
          options={misfireStrategies}
          onChange={(value) => set('misfire', value)}
        />
        <Field label="Retries">
          <input
            class="input"
            type="number"
            min={0}
            max={10}
            value={draft.retries}
            onInput={(event) => set('retries', Number(event.currentTarget.value))}
          />
        </Field>
        <Field label="Parameters, any text">
          <input class="input" value={draft.params} onInput={(event) => set('params', event.currentTarget.value)} />
        </Field>
        <Button kind="primary" onClick={add}>
          Add the job
        </Button>
      </div>
      {problem === null ? null : (
        <div role="alert">
          <Message tone="bad">{problem}</Message>
        </div>
      )}
    </details>
  );
}

function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly T[];
  onChange: (value: T) => void;
}) {
  return (
    <Field label={props.label}>
      <select class="input" value={props.value} onChange={(event) => props.onChange(event.currentTarget.value as T)}>
        {props.options.map((option) => (
          <option key={option} value={option}>
            {option.toLowerCase().replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </Field>
  );
}

function jobOf({ kind, expression, dialect, everySeconds, params, ...rest }: typeof first): RingJobDraft {
  const schedule =
    kind === 'cron'
      ? ({ kind, expression, dialect } as const)
      : kind === 'fix-rate'
        ? ({ kind, everyMs: Math.round(everySeconds * 1000) } as const)
        : ({ kind } as const);
  return { ...rest, params: params === '' ? null : params, schedule };
}
