import type { Flow, Job } from '@horae/time-ring';
import { Button, Panel } from '@horae-tooling/design/parts';
import { say } from '@horae-tooling/design/toasts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CheckedField } from '../parts/checked-field.jsx';
import { ProblemText } from '../parts/common.jsx';
import { draftFaults, draftOfFlow, emptyFlow, flowOf, type Issue, messageAt } from '../parts/flow-draft.js';
import { addressOf, go } from '../talk/address.js';
import { change, Refused } from '../talk/api.js';
import { problemOf, useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { StepFields } from './step-fields.jsx';

const exampleFlow = { name: '', steps: { first: { job: '' }, second: { job: '', after: ['first'] } } };

/** A flow that is to be started: step by step in a form, or as JSON. */
export function FlowFormPage() {
  const words = useWords();
  const [draft, setDraft] = useState(emptyFlow);
  const [text, setText] = useState<string | null>(null);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const jobs = useAsk<{ jobs: readonly Job[] }>('admin/jobs', { limit: 100 });
  useEffect(() => {
    // The focus moves to the first fault.
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [issues]);

  const found = (own: readonly Issue[], other: string | null) => {
    setIssues(own);
    setProblem(other);
  };
  const showFaults = (faults: ReturnType<typeof draftFaults>) =>
    found(
      faults.map(({ path, fault }) => ({ path, message: words.flows.faults[fault] })),
      null,
    );
  const readText = (given: string): unknown => {
    try {
      return JSON.parse(given);
    } catch {
      found([{ path: 'definition', message: words.flows.faults['bad-json'] }], null);
      return undefined;
    }
  };
  const start = async () => {
    const faults = text === null ? draftFaults(draft) : [];
    if (faults.length > 0) return showFaults(faults);
    const flow = text === null ? flowOf(draft) : readText(text);
    if (flow === undefined) return;
    try {
      const { id, name } = await change<Flow>('POST', 'admin/flows', flow);
      say(words.flows.started(name));
      go(`flows/${id}`);
    } catch (error) {
      const said = error instanceof Refused ? error.issues : [];
      const isShown = text === null && said.some(({ path }) => path === 'name' || /^steps\..+\./.test(path));
      const own =
        text === null
          ? said
          : said.map(({ path, message }) => ({ path: 'definition', message: `${path}: ${message}` }));
      found(own, isShown || (text !== null && own.length > 0) ? null : problemOf(error));
    }
  };
  const turn = () => {
    if (text === null) {
      // An empty form becomes an example; a form with faults would lose its input.
      const faults = draft === emptyFlow ? [] : draftFaults(draft).filter(({ path }) => path !== 'name');
      if (faults.length > 0) return showFaults(faults);
      setText(JSON.stringify(draft === emptyFlow ? exampleFlow : flowOf(draft), null, 2));
      return found([], null);
    }
    const value = readText(text);
    if (value === undefined) return;
    const turned = draftOfFlow(value);
    if (turned === null) return found([{ path: 'definition', message: words.flows.faults['no-flow'] }], null);
    setDraft(turned);
    setText(null);
    found([], null);
  };
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Panel
        title={words.flows.new}
        actions={
          <Button small onClick={turn}>
            {text === null ? words.form.json : words.form.fields}
          </Button>
        }
      >
        {text === null ? (
          <StepFields draft={draft} onChange={setDraft} issues={issues} jobs={jobs.data?.jobs ?? []} />
        ) : (
          <CheckedField label={words.flows.definition} problem={messageAt(issues, 'definition')}>
            {(marks) => (
              <textarea
                class="input input-mono"
                rows={18}
                spellcheck={false}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
                {...marks}
              />
            )}
          </CheckedField>
        )}
      </Panel>
      <ProblemText text={problem} />
      <div class="row">
        <Button kind="primary" type="submit">
          {words.flows.start}
        </Button>
        <a class="button" href={addressOf('flows')}>
          {words.cancel}
        </a>
      </div>
    </form>
  );
}
