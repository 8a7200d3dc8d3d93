import { Button, Message, Panel } from '@horae-tooling/design/parts';
import { say } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { DeclaredTask, TaskRow } from '../../../wire/tasks.js';
import { tell } from '../../live/ask-server.js';
import { DialectSelect } from '../cron/dialect-select.jsx';

/** The list of registrations, to be changed and declared anew. */
export function Declaration({ tasks }: { tasks: readonly TaskRow[] }) {
  const [draft, setDraft] = useState<readonly DeclaredTask[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const list = draft ?? tasks.map(declared);
  const change = (index: number, part: Partial<DeclaredTask>) =>
    setDraft(list.map((task, i) => (i === index ? { ...task, ...part } : task)));
  const declare = async () => {
    try {
      await tell('tasks/declare', { tasks: list });
      setDraft(null);
      setProblem(null);
      say('Declared: the list is the whole truth now.');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const add = () =>
    setDraft([
      ...list,
      { name: nextName(list), cron: '* * * * *', retryDelayMs: 5_000, behaviour: 'succeeds', worksMs: 1_000 },
    ]);
  return (
    <Panel
      title="Registrations"
      note={draft === null ? 'as declared' : 'changed, not declared yet'}
      class="wide-6"
      actions={
        <Button small onClick={add}>
          Add a task
        </Button>
      }
    >
      <div class="stack-tight">
        <div class="declaration declaration-head tiny soft" aria-hidden="true">
          <span>Name</span>
          <span>Cron</span>
          <span>Dialect</span>
          <span>Retry, s</span>
          <span />
        </div>
        {list.map((task, i) => (
          <div class="declaration" key={i}>
            <input
              class="input"
              aria-label={`Name of task ${i + 1}`}
              value={task.name}
              onInput={(event) => change(i, { name: event.currentTarget.value })}
            />
            <input
              class="input input-mono"
              aria-label={`Cron of task ${i + 1}`}
              value={task.cron}
              spellcheck={false}
              onInput={(event) => change(i, { cron: event.currentTarget.value })}
            />
            <DialectSelect
              label={`Dialect of task ${i + 1}`}
              value={task.dialect ?? 'posix'}
              onChange={(dialect) => change(i, { dialect })}
            />
            <input
              class="input"
              type="number"
              aria-label={`Retry delay of task ${i + 1} in seconds`}
              value={task.retryDelayMs / 1000}
              onInput={(event) => change(i, { retryDelayMs: Math.round(Number(event.currentTarget.value) * 1000) })}
            />
            <Button small aria-label={`Remove ${task.name}`} onClick={() => setDraft(list.filter((_, at) => at !== i))}>
              Remove
            </Button>
          </div>
        ))}
        {problem === null ? null : (
          <div role="alert">
            <Message tone="bad">{problem}</Message>
          </div>
        )}
        <div class="row">
          <Button kind="primary" onClick={declare} disabled={draft === null}>
            Stop, declare, start again
          </Button>
          <Button
            disabled={draft === null}
            onClick={() => {
              setDraft(null);
              setProblem(null);
            }}
          >
            Discard
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function declared({ name, cron, dialect, retryDelayMs, behaviour, worksMs }: TaskRow): DeclaredTask {
  return { name, cron, dialect, retryDelayMs, behaviour, worksMs };
}

function nextName(list: readonly DeclaredTask[]): string {
  for (let i = 1; ; i++) if (!list.some(({ name }) => name === `new-task-${i}`)) return `new-task-${i}`;
}
