import { resolve } from 'node:path';
import type { Hono } from 'hono';
import { resolveZone, systemClock, systemRandom } from 'horae/time';
import { openDatabase } from 'horae/time/storage';
import type { Hello } from '../wire/session.js';
import type { TasksSnapshot } from '../wire/tasks.js';
import { cronRoutes } from './cron/cron-routes.js';
import { watchCron } from './cron/cron-watch.js';
import type { DemoOptions } from './demo-options.js';
import { createApp } from './http/app.js';
import { type Listening, listen } from './http/listen.js';
import { createLiveHub } from './http/live-hub.js';
import { createActivity } from './overview/activity.js';
import { repeat } from './repeat.js';
import { createOrderBook } from './rewrites/order-book.js';
import { rewriteRoutes } from './rewrites/rewrite-routes.js';
import { createRingConsole } from './ring/ring-console.js';
import { ringRoutes } from './ring/ring-routes.js';
import { startRingWatch } from './ring/ring-watch.js';
import { shiftRoutes } from './shifts/shift-routes.js';
import { createShiftWatch } from './shifts/shift-watch.js';
import { createHarbour } from './sim/live-harbour.js';
import { simRoutes } from './sim/sim-routes.js';
import { startTaskKeeper } from './tasks/task-keeper.js';
import { taskRoutes } from './tasks/task-routes.js';

export interface Demo {
  readonly address: string;
  readonly port: number;
  /** `standby`: another process has the tasks of this file; they are taken over when it ends. */
  readonly role: Hello['role'];
  stop(): Promise<void>;
}

const BOOK_EVERY_MS = 2_500;
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Starts all engines and serves the page. */
export async function startDemo(
  options: DemoOptions,
  pageFolder: string,
  onFailure: (error: unknown) => void,
): Promise<Demo> {
  const clock = systemClock();
  const random = systemRandom();
  const zone = resolveZone();
  const ending = new AbortController();
  const { signal } = ending;
  const databaseFile = resolve(options.database);
  const databaseUrl = `sqlite:${databaseFile}`;
  // A file that cannot be used is refused here, with its name and the remedy, before anything else begins.
  await (await openDatabase(databaseUrl)).close();

  const hub = createLiveHub(clock, (_topic, error) => onFailure(error));
  const activity = createActivity(clock, () => hub.touch('overview'));
  const { note } = activity;
  const harbour = createHarbour(random, note);
  const book = createOrderBook(clock, random, note);
  // The first page should not wait for the first batches.
  for (let i = 0; i < 3; i++) book.tick();
  const onChange = (topic: string) => () => hub.touch(topic);
  const shifts = await createShiftWatch({ clock, shiftMs: options.shiftMs, note, onChange: onChange('shifts') });
  const taskOptions = { clock, databaseUrl, zone, note, onChange: onChange('tasks') };
  const tasks = await startTaskKeeper(databaseFile, taskOptions, clock, onFailure);
  const serverId = randomName(random);
  const nodeId = `node-${serverId.slice(0, 4)}`;
  const panel = createRingConsole();
  const ring = await startRingWatch({
    ...{ clock, databaseUrl, nodeId, note, onChange: onChange('ring') },
    onNode: panel.show,
  });

  hub.add('overview', () => activity.snapshot());
  hub.add('tasks', () => tasks.desk()?.snapshot() ?? noTasks(zone));
  hub.add('ring', () => ring.snapshot());
  hub.add('sim', () => harbour.snapshot());
  hub.add('rewrites', () => book.snapshot());
  hub.add('shifts', () => shifts.snapshot());

  const loops = [
    watchCron(clock, zone, note, signal),
    repeat(clock, 1_000, signal, () => harbour.tick(), onFailure),
    repeat(clock, BOOK_EVERY_MS, signal, () => book.tick(), onFailure),
    repeat(clock, 1_000, signal, () => shifts.tick(), onFailure),
    repeat(
      clock,
      1_000,
      signal,
      () => ['overview', 'sim', 'rewrites', 'tasks'].forEach((topic) => void hub.touch(topic)),
      onFailure,
    ),
  ];
  const role = () => (tasks.desk() === null ? 'standby' : 'first');
  const token = randomName(random);
  const hello = (): Hello => ({ serverId, token, now: clock.now(), zone, node: nodeId, role: role() });
  const routes: Record<string, Hono> = {
    cron: cronRoutes(clock, note),
    tasks: taskRoutes(() => tasks.desk()),
    ring: ringRoutes(ring),
    sim: simRoutes(harbour),
    rewrites: rewriteRoutes(),
    shifts: shiftRoutes(shifts),
  };
  // With a token it does not matter by which name the server is reached: a page of another site does not have it.
  const accessToken = options.token;
  const hostNames = accessToken === null ? [...loopbackNames, options.host.toLowerCase()] : null;
  const http = { hostNames, accessToken, pageFolder, routes, console: panel.fetch };
  const app = await createApp({ clock, hub, hello, ...http, ending: signal, onError: onFailure });
  const server: Listening = await listen(app, options.host, options.port);

  return {
    address: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${server.port}/`,
    port: server.port,
    role: role(),
    async stop() {
      ending.abort();
      panel.close();
      await server.close();
      await Promise.all([...loops, shifts.stop(), ring.stop(), tasks.stop()]);
    },
  };
}

/** 128 random bits. */
function randomName(random: { below(limit: number): number }): string {
  return Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
}

function noTasks(zone: string): TasksSnapshot {
  return { status: 'elsewhere', zone, tasks: [], forgotten: [], trace: [], verdict: { events: 0, broken: [] } };
}
