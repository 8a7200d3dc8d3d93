import { isDeepStrictEqual } from 'node:util';
import { createExecutor, type Handler, startTimeRing } from '@horae/time-ring';
import { createClosers } from '../daemon/closers.js';
import type { DaemonLog } from '../daemon/daemon-log.js';
import type { DaemonWork } from '../daemon/run-daemon.js';
import { createConsoleDoor } from './console-door.js';
import { logRingEvents } from './log-ring-events.js';
import { reconcileJobs } from './reconcile-jobs.js';
import type { RingConfig } from './ring-config.js';
import { loadHandlers } from './ring-handlers.js';
import { nodeOptions, optionsOf } from './serve-options.js';

/** Starts a node with the handlers and jobs of a configuration; a reload takes new handlers and jobs. */
export async function ringDaemon(options: {
  read(): Promise<RingConfig>;
  readonly configPath: string;
  readonly log: DaemonLog;
}): Promise<DaemonWork> {
  const { read, configPath, log } = options;
  const config = await read();
  // The executor looks a handler up when a run begins, so that a reload changes this map and stops no run.
  const handlers: Record<string, Handler> = await loadHandlers(config, configPath, log);
  const closers = createClosers();
  try {
    const given = optionsOf(config);
    const door =
      given.http === undefined || config.console === false ? undefined : createConsoleDoor(config.adminToken);
    const http = door === undefined ? {} : { http: { ...given.http!, front: door.answer } };
    const ring = await startTimeRing({ database: config.database, claim: config.claim, log, ...given, ...http });
    closers.add(() => ring.stop({ deadlineMs: config.stopTimeout }));
    if (door !== undefined) {
      await door.open(ring, log);
      closers.add(door.close);
    }
    logRingEvents(ring, log);
    const { queueLimit } = config;
    await createExecutor({ group: config.group, handlers, ring, ...(queueLimit === undefined ? {} : { queueLimit }) });
    const { added, updated } = await reconcileJobs(ring.jobs, config);
    const { nodeId } = ring.health();
    log.info(
      { pid: process.pid, node: nodeId, url: ring.http?.url, added, updated, jobs: config.jobs.length },
      'running',
    );
    return {
      async reload() {
        const next = await read();
        const fresh = await loadHandlers(next, configPath, log);
        for (const name of Object.keys(handlers)) if (!Object.hasOwn(fresh, name)) delete handlers[name];
        Object.assign(handlers, fresh);
        const done = await reconcileJobs(ring.jobs, next);
        log.info({ ...done }, 'jobs reconciled');
        const fixed = needRestart.filter((field) => !isDeepStrictEqual(next[field], config[field]));
        if (fixed.length > 0) log.warn({ fields: fixed }, 'these take effect with the next start');
      },
      stop: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

const needRestart = [
  ...[
    'database',
    'claim',
    'zone',
    'node',
    'group',
    'port',
    'host',
    'token',
    'adminToken',
    'stopTimeout',
    'http',
    'console',
  ],
  ...['queueLimit', ...Object.keys(nodeOptions)],
] as readonly (keyof RingConfig)[];
