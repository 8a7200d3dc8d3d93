import { describeCron, tryParseCron } from 'horae/cron';
import { createScheduler, observe, type Registration, type TaskSettingsByName, type TraceEvent } from 'horae/tasks';
import { sqlTaskStore } from 'horae/tasks/sql';
import { checkTrace } from 'horae/tasks/trace';
import type { Clock } from 'horae/time';
import type {
  Behaviour,
  DeclaredTask,
  TaskExplanation,
  TaskRow,
  TasksSnapshot,
  TraceVerdict,
} from '../../wire/tasks.js';
import type { Note } from '../overview/activity.js';
import { harbourOffice } from './harbour-office.js';
import { createTaskWork } from './task-work.js';
import { detailOf, eventNames, traceLines } from './trace-lines.js';

export interface TaskDeskOptions {
  readonly clock: Clock;
  readonly databaseUrl: string;
  readonly zone: string;
  readonly note: Note;
  readonly onChange: () => void;
}

/** The declarative scheduler of the demo, with every manual operation on it. */
export interface TaskClient {
  start(): Promise<void>;
  snapshot(): TasksSnapshot;
  setBehaviour(name: string, behaviour: Behaviour): void;
  /** Stops, declares the new list, starts again. A faulty list is refused and the old one stays in force. */
  declare(tasks: readonly DeclaredTask[]): Promise<void>;
  /** Ends the scheduler in the middle of its work, as a power cut would, and starts it again. */
  pullThePlug(): Promise<void>;
  explain(name: string, at: number): TaskExplanation;
  stop(): Promise<void>;
}

const SHOWN_EVENTS = 80;
const VERDICT_EVERY_MS = 3_000;

export function createTaskDesk({ clock, databaseUrl, zone, note, onChange }: TaskDeskOptions): TaskClient {
  const store = sqlTaskStore(databaseUrl, { namespace: 'demo' });
  const scheduler = createScheduler({ clock, zone, store });
  const watch = observe(scheduler);
  const work = createTaskWork(clock);
  let declared: readonly DeclaredTask[] = harbourOffice;
  let forgotten: readonly string[] = [];
  let status: TasksSnapshot['status'] = 'elsewhere';
  let verdict: TraceVerdict = { events: 0, broken: [] };
  let judgedAt = Number.NEGATIVE_INFINITY;

  for (const name of eventNames) {
    watch.on(name, (event) => {
      tell(event, note);
      onChange();
    });
  }

  function registrations(tasks: readonly DeclaredTask[]): Registration[] {
    return tasks.map(({ name, cron, retryDelayMs }, index) => {
      // Looked up at the end of each run, so that a click counts for what is already under way.
      const current = () => declared.find((task) => task.name === name) ?? tasks[index]!;
      return [name, cron, (context) => work.run(current, context), retryDelayMs];
    });
  }

  async function restart(tasks: readonly DeclaredTask[], deadlineMs: number): Promise<void> {
    status = 'restarting';
    onChange();
    const before = declared;
    await scheduler.stop({ deadlineMs });
    declared = tasks;
    forgotten = before.map(({ name }) => name).filter((name) => !tasks.some((task) => task.name === name));
    await scheduler.initialize(registrations(tasks), dialectsOf(tasks));
    status = 'running';
    onChange();
  }

  /** Declares the list to a throw-away scheduler: its faults are found before anything is stopped. */
  async function tryOut(tasks: readonly DeclaredTask[]): Promise<void> {
    const trial = createScheduler({ clock, zone });
    await trial.initialize(
      tasks.map(({ name, cron, retryDelayMs }) => [name, cron, () => {}, retryDelayMs]),
      dialectsOf(tasks),
    );
    await trial.stop();
  }

  function judge(): TraceVerdict {
    const now = clock.monotonicMs();
    if (now - judgedAt < VERDICT_EVERY_MS) return verdict;
    judgedAt = now;
    const trace = watch.trace();
    const broken = checkTrace(trace, { zone }).map(({ rule, message }) => ({ rule, message }));
    verdict = { events: trace.length, broken };
    return verdict;
  }

  return {
    async start() {
      await scheduler.initialize(registrations(declared), dialectsOf(declared));
      status = 'running';
      onChange();
    },
    snapshot: () => ({
      status,
      zone,
      tasks: rowsOf(watch.tasks(), declared),
      forgotten,
      trace: traceLines(watch.trace(), SHOWN_EVENTS),
      verdict: judge(),
    }),
    setBehaviour(name, behaviour) {
      declared = declared.map((task) => (task.name === name ? { ...task, behaviour } : task));
      note('tasks', `${name} now ${behaviour === 'flaky' ? 'is flaky' : behaviour}`);
      onChange();
    },
    async declare(tasks) {
      await tryOut(tasks);
      await restart(tasks, 2_000);
    },
    async pullThePlug() {
      work.unplug();
      try {
        await restart(declared, 0);
      } finally {
        work.plugIn();
      }
    },
    explain(name, at) {
      const { sentence, wouldRun } = watch.explain(name, at);
      return { sentence, wouldRun, at };
    },
    async stop() {
      await scheduler.stop({ deadlineMs: 3_000 });
      await store.close();
    },
  };
}

/** The language of each task's expression, beside the registrations. */
function dialectsOf(tasks: readonly DeclaredTask[]): { tasks: TaskSettingsByName } {
  // A name that stands twice, or is missing, is refused as a registration.
  return { tasks: Object.fromEntries(tasks.map(({ name, dialect = 'posix' }) => [name, { dialect }])) };
}

type Watched = Omit<TaskRow, 'words' | 'behaviour' | 'worksMs' | 'dialect'>;

function rowsOf(watched: readonly Watched[], declared: readonly DeclaredTask[]): TaskRow[] {
  return watched.map((task) => {
    const {
      behaviour,
      worksMs,
      dialect = 'posix',
    } = declared.find(({ name }) => name === task.name) ?? {
      behaviour: 'succeeds',
      worksMs: 0,
    };
    const parsed = tryParseCron(task.cron, { dialect });
    return { ...task, dialect, behaviour, worksMs, words: parsed.ok ? describeCron(parsed.value) : '' };
  });
}

/** The lines of the overview: starts, ends and faults, not the machinery. */
function tell(event: TraceEvent, note: Note): void {
  const { taskName } = event;
  if (event.event === 'TaskRunCompleted') note('tasks', `${taskName} is done`, 'good');
  else if (event.event === 'TaskRunFailed') note('tasks', `${taskName} failed: ${detailOf(event)}`, 'bad');
  else if (event.event === 'TaskRunStarted') note('tasks', `${taskName} starts (${event.reason})`);
  else if (event.event === 'TaskRetryStarted') note('tasks', `${taskName} is tried again, attempt ${event.attempt}`);
  else if (event.event === 'StoreFailed') note('tasks', `the database does not answer: ${detailOf(event)}`, 'bad');
}
