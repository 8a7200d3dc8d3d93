import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { Redis } from 'ioredis';

/** A Redis server of one bench, on a socket of its own. */
export interface RedisServer {
  readonly path: string;
  stop(): Promise<void>;
}

const START_MS = 10_000;

/** Whether there is a Redis to measure beside; says so once when there is none. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.log('redis-server is not on the PATH: BullMQ is left out');

/** Starts `redis-server` from the PATH (Debian: `apt-get install redis-server`), with its file written every second. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-redis-'));
  const path = join(folder, 'redis.sock');
  const settings = ['--port', '0', '--unixsocket', path, '--dir', folder, '--appendonly', 'yes', '--save', ''];
  const child = spawn('redis-server', [...settings, '--appendfsync', 'everysec'], { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  await Promise.race([answers(path), failed]);
  return {
    path,
    async stop() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(path: string): Promise<void> {
  const clock = systemClock();
  const until = clock.monotonicMs() + START_MS;
  const redis = new Redis({ path, retryStrategy: () => 50, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  try {
    const late = clock
      .sleepFor(until - clock.monotonicMs())
      .then(() => Promise.reject(new Error('Redis does not start')));
    await Promise.race([redis.ping(), late]);
  } finally {
    redis.disconnect();
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
