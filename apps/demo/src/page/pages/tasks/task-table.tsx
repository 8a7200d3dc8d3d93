import { Badge, Button, ScrollArea, type Tone } from '@horae-tooling/design/parts';
import { clockTime, fromNow } from '@horae-tooling/design/times';
import { attempt } from '@horae-tooling/design/toasts';
import type { Behaviour, TaskRow } from '../../../wire/tasks.js';
import { tell } from '../../live/ask-server.js';
import { useNow } from '../../live/live-store.js';

const stateTones: Readonly<Record<TaskRow['state'], [Tone, string]>> = {
  AwaitingRun: ['plain', 'waiting'],
  Running: ['accent', 'running'],
  AwaitingRetry: ['bad', 'will retry'],
};
const originTones: Readonly<Record<TaskRow['origin'], Tone>> = {
  new: 'accent',
  preserved: 'plain',
  overridden: 'warn',
  orphaned: 'bad',
};

export function TaskTable(props: { tasks: readonly TaskRow[]; chosen: string; onChoose: (name: string) => void }) {
  const now = useNow(500);
  return (
    <ScrollArea label="Tasks">
      <table class="table tasks-table">
        <thead>
          <tr>
            <th>Task</th>
            <th>State</th>
            <th>Since the start</th>
            <th>Next</th>
            <th>Last success</th>
            <th>Its work</th>
            <th>
              <span class="sr-only">Explain</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.tasks.map((task) => (
            <Row
              key={task.name}
              task={task}
              now={now}
              isChosen={task.name === props.chosen}
              onChoose={props.onChoose}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Row(props: { task: TaskRow; now: number; isChosen: boolean; onChoose: (name: string) => void }) {
  const { task, now, isChosen, onChoose } = props;
  const [tone, state] = stateTones[task.state];
  return (
    <tr class={isChosen ? 'is-chosen' : ''} data-task={task.name}>
      <td>
        <strong>{task.name}</strong>
        <div class="soft tiny task-cron">
          <code>{task.cron}</code> {task.words}
        </div>
      </td>
      <td>
        <Badge tone={tone} alive={task.state === 'Running'}>
          {state}
        </Badge>
      </td>
      <td>
        <Badge tone={originTones[task.origin]}>{task.origin}</Badge>
      </td>
      <td class="number">
        <Next task={task} now={now} />
      </td>
      <td class="number soft">
        {task.lastSuccessAt === null ? 'never' : fromNow(Math.min(now, task.lastSuccessAt), now)}
      </td>
      <td>
        <label>
          <span class="sr-only">Work of {task.name}</span>
          <select
            class="input button-small"
            value={task.behaviour}
            onChange={(event) => {
              const behaviour = event.currentTarget.value as Behaviour;
              return attempt(() => tell('tasks/behaviour', { name: task.name, behaviour }));
            }}
          >
            <option value="succeeds">succeeds</option>
            <option value="flaky">third try succeeds</option>
            <option value="fails">fails</option>
          </select>
        </label>
      </td>
      <td>
        <Button small onClick={() => onChoose(task.name)} aria-label={`Why does ${task.name} (not) run?`}>
          Why?
        </Button>
      </td>
    </tr>
  );
}

function Next({ task, now }: { task: TaskRow; now: number }) {
  if (task.pendingRetryUntil !== null && task.state === 'AwaitingRetry')
    return (
      <span class="tone-bad">
        retry {fromNow(task.pendingRetryUntil, now)}
        <RetryBar task={task} now={now} />
      </span>
    );
  if (task.nextDueAt === null) return <span class="soft">never</span>;
  return (
    <>
      {fromNow(task.nextDueAt, now)} <span class="soft tiny">{clockTime(task.nextDueAt)}</span>
    </>
  );
}

/** How much of the delay is over. */
function RetryBar({ task, now }: { task: TaskRow; now: number }) {
  const left = Math.max(0, Math.min(1, (task.pendingRetryUntil! - now) / Math.max(1, task.retryDelayMs)));
  return (
    <svg class="retry-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" rx="2" fill="var(--bad-soft)" />
      <rect width={100 * (1 - left)} height="4" rx="2" fill="var(--bad)" />
    </svg>
  );
}
