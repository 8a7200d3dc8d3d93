import type { Job } from '@horae/time-ring';
import { Button } from '@horae-tooling/design/parts';
import { CheckedField } from '../parts/checked-field.jsx';
import { Choice } from '../parts/common.jsx';
import { emptyStep, type FlowDraft, type Issue, messageAt, type StepDraft, stepPath } from '../parts/flow-draft.js';
import { useWords } from '../words/language.js';

const JOBS = 'flow-jobs';
const conditions = ['succeeded', 'failed', 'over'] as const;

/** The name of a flow and its steps. */
export function StepFields(props: {
  draft: FlowDraft;
  onChange: (draft: FlowDraft) => void;
  issues: readonly Issue[];
  jobs: readonly Job[];
}) {
  const words = useWords();
  const { draft, onChange, issues } = props;
  const { steps } = draft;
  const set = (index: number, changed: Partial<StepDraft>) =>
    onChange({ ...draft, steps: steps.map((step, at) => (at === index ? { ...step, ...changed } : step)) });
  return (
    <div class="stack-tight">
      <datalist id={JOBS}>
        {props.jobs.map(({ id, key, name }) => (
          <option key={id} value={key ?? String(id)}>
            {name}
          </option>
        ))}
      </datalist>
      <CheckedField label={words.name} problem={messageAt(issues, 'name')}>
        {(marks) => (
          <input
            class="input"
            value={draft.name}
            onInput={(event) => onChange({ ...draft, name: event.currentTarget.value })}
            {...marks}
          />
        )}
      </CheckedField>
      {steps.map((step, index) => (
        <Step
          key={index}
          step={step}
          number={index + 1}
          problemOf={(field) => messageAt(issues, stepPath(steps, index, field))}
          onChange={(changed) => set(index, changed)}
          onRemove={
            steps.length === 1 ? null : () => onChange({ ...draft, steps: steps.filter((_, at) => at !== index) })
          }
        />
      ))}
      <div>
        <Button small onClick={() => onChange({ ...draft, steps: [...steps, emptyStep] })}>
          {words.flows.addStep}
        </Button>
      </div>
    </div>
  );
}

function Step(props: {
  step: StepDraft;
  number: number;
  problemOf: (field: keyof StepDraft) => string | null;
  onChange: (changed: Partial<StepDraft>) => void;
  onRemove: (() => void) | null;
}) {
  const words = useWords();
  const { step, number, problemOf, onChange } = props;
  const text = (field: 'name' | 'job', label: string, list?: string) => (
    <CheckedField label={label} problem={problemOf(field)}>
      {(marks) => (
        <input
          class="input"
          list={list}
          spellcheck={false}
          value={step[field]}
          onInput={(event) => onChange({ [field]: event.currentTarget.value })}
          {...marks}
        />
      )}
    </CheckedField>
  );
  const area = (field: 'after' | 'params', label: string) => (
    <CheckedField label={label} problem={problemOf(field)}>
      {(marks) => (
        <textarea
          class="input input-mono"
          rows={2}
          spellcheck={false}
          value={step[field]}
          onInput={(event) => onChange({ [field]: event.currentTarget.value })}
          {...marks}
        />
      )}
    </CheckedField>
  );
  return (
    <fieldset class="step" data-testid="step">
      <legend>{words.flows.stepNumber(number)}</legend>
      <div class="job-fields">
        {text('name', words.name)}
        {text('job', words.flows.job, JOBS)}
        {area('after', words.flows.afterSteps)}
        <CheckedField label={words.flows.when} problem={problemOf('when')}>
          {() => (
            <Choice
              value={step.when}
              options={conditions.map((condition) => [condition, words.flows.conditions[condition]])}
              onChange={(when) => onChange({ when })}
            />
          )}
        </CheckedField>
        {area('params', words.flows.params)}
        {props.onRemove === null ? null : (
          <Button small aria-label={words.flows.removeStep(number)} onClick={props.onRemove}>
            {words.remove}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
