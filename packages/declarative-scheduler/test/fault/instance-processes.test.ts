import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';

const program = fileURLToPath(new URL('./processes/instance-process.mjs', import.meta.url));

type Reported = Omit<TraceEvent, 'event'> & { event: string };

interface Place {
  url: string;
  stop(): Promise<void>;
  /** Takes the database away and brings it back, longer than a lease later. */
  lose(): Promise<void>;
}

/** A running instance, and everything it has reported. */
class Instance {
  readonly reported: Reported[] = [];
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;
  private waiting: (() => void)[] = [];

  constructor(database: string, mode: 'hang' | 'quick') {
    this.child = spawn(process.execPath, [program, database, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.reported.push(JSON.parse(line) as Reported);
      for (const look of this.waiting.splice(0)) look();
    });
    this.ended = new Promise((resolve) => this.child.once('close', () => resolve()));
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
    const { schedulerId } = this.reported[0]!;
    this.reported.push({ event: 'Crash', at: Date.now(), schedulerId: schedulerId! });
  }

  /** Resolves with the first matching event after the first `from` ones. */
  async until(isMet: (event: Reported) => boolean, from = 0): Promise<Reported> {
    for (;;) {
      const found = this.reported.slice(from).find(isMet);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async ran(taskName: string, from = this.reported.length): Promise<Reported> {
    return this.until((event) => event.event === 'TaskRunCompleted' && event.taskName === taskName, from);
  }

  get role(): string | undefined {
    return this.reported.findLast(({ event }) => event === 'SchedulerRoleChanged')?.role;
  }
}

const isRole = (role: string) => (event: Reported) => event.event === 'SchedulerRoleChanged' && event.role === role;
const isStartOf = (name: string, reason?: string) => (event: Reported) =>
  event.event === 'TaskRunStarted' && event.taskName === name && (reason === undefined || event.reason === reason);

/** Killed, frozen past its lease, deployed, and cut off from the database; with the traces of all instances at the end. */
async function life(place: Place, start: (mode: 'hang' | 'quick') => Instance): Promise<void> {
  const a = start('hang');
  await a.until(isStartOf('long', 'boot'));
  const b = start('hang');
  await b.until(isRole('standby'));
  const c = start('quick');
  await c.until(isRole('standby'));
  await a.ran('often');

  // On one machine a dead process frees the lease at once; its run is an orphan.
  await a.kill();
  const [heirs, others] = await Promise.race([
    b.until(isRole('leader')).then(() => [b, c] as const),
    c.until(isRole('leader')).then(() => [c, b] as const),
  ]);
  await heirs.until(isStartOf('long', 'orphan'));
  await heirs.ran('often');

  // A frozen leader is replaced within its lease; thawed, it aborts its runs, starts nothing and stands by.
  heirs.signal('SIGSTOP');
  const frozenFrom = heirs.reported.length;
  const frozenAt = Date.now();
  const taken = await others.until(isRole('leader'));
  expect(taken.at - frozenAt).toBeLessThan(15_000);
  await others.ran('often');
  heirs.signal('SIGCONT');
  await heirs.until(isRole('standby'), frozenFrom);
  expect(heirs.reported.slice(frozenFrom).filter(isStartOf('often')), 'nothing starts without the lease').toEqual([]);

  // A rolling deploy: the new one stands by, the old one stops and hands over.
  const d = start('quick');
  await d.until(isRole('standby'));
  others.signal('SIGTERM');
  await others.ended;
  const leader = await Promise.race([
    d.until(isRole('leader')).then(() => d),
    heirs.until(isRole('leader'), frozenFrom).then(() => heirs),
  ]);
  await leader.ran('often');

  // The database is lost for longer than a lease, and comes back.
  const before = [d.reported.length, heirs.reported.length] as const;
  await place.lose();
  await Promise.race([d.ran('often', before[0]), heirs.ran('often', before[1])]);
  await Promise.race([d.ran('often'), heirs.ran('often')]);
  for (const last of [d, heirs]) last.signal('SIGTERM');
  await Promise.all([d.ended, heirs.ended]);
}

function judge(instances: readonly Instance[]): void {
  const joined = instances
    .flatMap(({ reported }) => reported)
    .filter(({ event }) => event !== 'initialized' && event !== 'Aborted')
    .sort((x, y) => x.at - y.at) as TraceEvent[];
  expect(checkTrace(joined, { zone: 'UTC' })).toEqual([]);
  const dues = joined
    .filter((event) => isStartOf('often')(event) && event.reason !== 'orphan')
    .map(({ dueAt }) => dueAt);
  expect(new Set(dues).size, 'every second once').toBe(dues.length);
  expect(dues.length).toBeGreaterThan(5);
  expect(
    dues.filter((dueAt) => (dueAt! / 1_000) % 3 === 0),
    'what a calendar excludes is no occurrence',
  ).toEqual([]);
}

async function sqlitePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-instances-'));
  const url = `sqlite:${join(folder, 'tasks.db')}`;
  return {
    url,
    stop: () => rm(folder, { recursive: true, force: true }),
    async lose() {
      const database = await openDatabase(url);
      // Nobody else can write meanwhile.
      await database.transaction(() => new Promise((resolve) => setTimeout(resolve, 6_000)), { immediate: true });
      await database.close();
    },
  };
}

const serverPlace = (start: typeof startTestPostgres | typeof startTestMariadb) => async () => {
  const server = await start();
  if (server === 'unavailable') return server;
  return {
    url: server.url,
    stop: () => server.stop(),
    async lose() {
      await server.halt();
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      await server.resume();
    },
  };
};

test.concurrent.for([
  { name: 'SQLite', open: sqlitePlace },
  { name: 'PostgreSQL', open: serverPlace(startTestPostgres) },
  { name: 'MariaDB', open: serverPlace(startTestMariadb) },
])(
  'I13: real processes on $name, killed, frozen, deployed and without a database: every occurrence once, an orphan once',
  { timeout: 240_000 },
  async ({ name, open }, context) => {
    const place = await open();
    if (place === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    const instances: Instance[] = [];
    try {
      await life(place, (mode) => {
        const instance = new Instance(place.url, mode);
        instances.push(instance);
        return instance;
      });
    } finally {
      for (const instance of instances) instance.signal('SIGKILL');
      await Promise.all(instances.map(({ ended }) => ended));
      await place.stop();
    }
    judge(instances);
  },
);
