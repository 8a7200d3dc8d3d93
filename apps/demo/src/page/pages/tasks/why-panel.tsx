import { Field, Message, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { TaskExplanation, TaskRow } from '../../../wire/tasks.js';
import { ask } from '../../live/ask-server.js';
import { serverNow } from '../../live/live-store.js';

const moments = [
  { label: 'now', afterMs: 0 },
  { label: 'in 10 seconds', afterMs: 10_000 },
  { label: 'in one minute', afterMs: 60_000 },
  { label: 'in one hour', afterMs: 3_600_000 },
  { label: 'tomorrow', afterMs: 86_400_000 },
];

/** Why a task would or would not start at a moment, in the scheduler's own words. */
export function WhyPanel(props: { tasks: readonly TaskRow[]; name: string; onName: (name: string) => void }) {
  const { tasks, name, onName } = props;
  const [afterMs, setAfterMs] = useState(0);
  const answer = useExplanation(name, afterMs, JSON.stringify(tasks.find((task) => task.name === name)));
  return (
    <Panel title="Why did it (not) run?">
      <div class="why">
        <Field label="Task">
          <select class="input" value={name} onChange={(event) => onName(event.currentTarget.value)}>
            {tasks.map((task) => (
              <option key={task.name}>{task.name}</option>
            ))}
          </select>
        </Field>
        <Field label="At">
          <select class="input" value={afterMs} onChange={(event) => setAfterMs(Number(event.currentTarget.value))}>
            {moments.map(({ label, afterMs: value }) => (
              <option key={label} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <div aria-live="polite" data-testid="explanation">
          {answer === null ? null : <Message tone={answer.wouldRun ? 'good' : 'plain'}>{answer.sentence}</Message>}
        </div>
      </div>
    </Panel>
  );
}

/** Requested again whenever the task has changed. */
function useExplanation(name: string, afterMs: number, state: string | undefined): TaskExplanation | null {
  const [answer, setAnswer] = useState<TaskExplanation | null>(null);
  // a changed state is a reason to ask again.
  useEffect(() => {
    let isCurrent = true;
    ask<TaskExplanation>('tasks/explain', { name, at: String(serverNow() + afterMs) })
      .then((found) => isCurrent && setAnswer(found))
      .catch(() => isCurrent && setAnswer(null));
    return () => {
      isCurrent = false;
    };
  }, [name, afterMs, state]);
  return answer;
}
