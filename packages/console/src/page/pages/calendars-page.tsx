import { Button, Empty, Panel } from '@horae-tooling/design/parts';
import { useState } from 'preact/hooks';
import { JsonText, Loading, ProblemText, SureButton } from '../parts/common.jsx';
import { TextArea, TextField } from '../parts/text-field.jsx';
import { change } from '../talk/api.js';
import { useMay } from '../talk/rights.js';
import { problemOf, useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

type CalendarView = { readonly name: string } & Readonly<Record<string, unknown>>;

/** Times that schedules leave out, by name. */
export function CalendarsPage() {
  const words = useWords();
  const may = useMay();
  const { data, problem, again } = useAsk<{ calendars: readonly CalendarView[] }>('admin/calendars');
  const [refusal, setRefusal] = useState<string | null>(null);
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setRefusal(null);
    } catch (error) {
      setRefusal(problemOf(error));
    }
    again();
  };
  if (data === null) return problem === null ? <Loading /> : <ProblemText text={problem} />;
  return (
    <Panel title={words.title.calendars} note={words.calendars.about}>
      <ProblemText text={refusal} />
      {data.calendars.length === 0 ? <Empty>{words.calendars.empty}</Empty> : null}
      <ul class="plain-list">
        {data.calendars.map(({ name, ...definition }) => (
          <li key={name} data-calendar={name} class="stack-tight">
            <span class="row">
              <strong>{name}</strong>
              {may('editor') ? (
                <SureButton
                  label={words.remove}
                  describe={`${words.remove} ${name}`}
                  onSure={() => act(() => change('DELETE', `admin/calendars/${encodeURIComponent(name)}`))}
                />
              ) : null}
            </span>
            <JsonText value={definition} label={name} />
          </li>
        ))}
      </ul>
      {may('editor') ? <CalendarForm onSave={(body) => act(() => change('PUT', 'admin/calendars', body()))} /> : null}
    </Panel>
  );
}

function CalendarForm({ onSave }: { onSave: (body: () => object) => Promise<void> }) {
  const words = useWords();
  const [name, setName] = useState('');
  const [text, setText] = useState('{ "dates": ["2026-12-25"], "weekdays": [0, 6] }');
  return (
    <div class="job-fields">
      <TextField label={words.name} value={name} onText={setName} />
      <TextArea label={words.calendars.definition} class="wide" isMono rows={4} value={text} onText={setText} />
      <Button kind="primary" onClick={() => onSave(() => ({ ...(JSON.parse(text) as object), name }))}>
        {words.save}
      </Button>
    </div>
  );
}
