import { Badge, Button, Empty, Loading, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { TasksSnapshot } from '../../../wire/tasks.js';
import { tell } from '../../live/ask-server.js';
import { useTopic } from '../../live/live-store.js';
import { Declaration } from './declaration.jsx';
import { TaskTable } from './task-table.jsx';
import { TraceList } from './trace-list.jsx';
import { WhyPanel } from './why-panel.jsx';
import './tasks.css';

export function TasksPage() {
  const snapshot = useTopic<TasksSnapshot>('tasks');
  const [chosen, setChosen] = useState<string | null>(null);
  if (snapshot === null) return <Loading what="the tasks" />;
  if (snapshot.status === 'elsewhere')
    return (
      <Panel title="Tasks">
        <Empty>
          Another process runs the tasks of this database file. When it ends, this one takes them over within a second.
        </Empty>
      </Panel>
    );
  const name = snapshot.tasks.some((task) => task.name === chosen) ? chosen! : (snapshot.tasks[0]?.name ?? '');
  return (
    <div class="stack">
      <Panel
        title="Tasks"
        note={`cron is read in ${snapshot.zone}`}
        actions={
          <>
            <Badge tone={snapshot.status === 'running' ? 'good' : 'warn'} alive>
              {snapshot.status}
            </Badge>
            <Button
              kind="danger"
              small
              onClick={() =>
                attempt(
                  () => tell('tasks/pull-the-plug'),
                  'Unplugged and started again: what was running is an orphan.',
                )
              }
            >
              Pull the plug
            </Button>
          </>
        }
      >
        {snapshot.tasks.length === 0 ? (
          <Empty>Nothing is declared. Add a task below and declare the list.</Empty>
        ) : (
          <TaskTable tasks={snapshot.tasks} chosen={name} onChoose={setChosen} />
        )}
        {snapshot.forgotten.length === 0 ? null : (
          <p class="small soft">No longer declared, therefore forgotten: {snapshot.forgotten.join(', ')}.</p>
        )}
      </Panel>
      <WhyPanel tasks={snapshot.tasks} name={name} onName={setChosen} />
      <div class="columns">
        <Declaration tasks={snapshot.tasks} />
        <TraceList trace={snapshot.trace} verdict={snapshot.verdict} />
      </div>
    </div>
  );
}
