import { Agent } from 'node:http';
import { connect } from 'node:net';
import { type Random, seededRandom } from '@horae/clock-store';
import { expect, onTestFinished, test } from 'vitest';
import { answerSchemas } from '../../src/admin/admin-schemas.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { networkStage, remoteExecutor } from '../support/network-stage.js';
import { rawRequest } from '../support/raw-request.js';

const REQUESTS = process.env.HORAE_LONG ? 4_000 : 1_000;
const RAW_CONNECTIONS = 100;

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE'];
const paths = [
  ...[
    '/admin/jobs',
    '/admin/jobs/1',
    '/admin/jobs/2/start',
    '/admin/jobs/1/stop',
    '/admin/jobs/1/trigger',
    '/admin/runs',
  ],
  ...['/admin/jobs/1/trigger-range', '/admin/runs/1', '/admin/runs/1/log', '/admin/runs/1/kill', '/admin/executors'],
  ...['/admin/import', '/admin/health', '/admin/ready', '/admin/metrics', '/admin/openapi.json', '/admin', '/admin/..'],
  ...[
    '/api/registry',
    '/api/registryRemove',
    '/api/callback',
    '/xxl-job-admin/api/callback',
    '/xxl-job-admin',
    '/',
    '//',
  ],
  ...[
    '/admin/jobs/__proto__',
    '/admin/jobs/%00',
    '/admin/jobs/1%2fstart',
    '/admin/%2e%2e/admin/jobs',
    '/api/callback/../registry',
  ],
];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'multipart/form-data',
  '',
  'application/json; charset=utf-7',
];
const texts = [
  '',
  'x',
  '测试',
  '\u0000',
  '__proto__',
  'constructor',
  '* * * * * ?',
  'BEAN',
  'EXECUTOR',
  'http://127.0.0.1:1/',
  "'; DROP TABLE horae_ring_jobs; --",
  'a'.repeat(300),
];
const keys = [
  'name',
  'handler',
  'schedule',
  'kind',
  'expression',
  'params',
  'logId',
  'handleCode',
  'handleMsg',
  'registryGroup',
  'registryKey',
  'registryValue',
  'from',
  'to',
  'text',
  'format',
  'start',
  'children',
  '__proto__',
  'horae',
  'limit',
];

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)]!;
}

/** A random JSON value that now and then looks like what is wanted. */
function jsonValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return pick(random, [0, 1, 2, -1, 1.5, 200, 500, 1e21, Number.MAX_SAFE_INTEGER]);
    case 3:
    case 4:
    case 5:
      return pick(random, texts);
    case 6:
      return Array.from({ length: random.below(4) }, () => jsonValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, () => [pick(random, keys), jsonValue(random, depth + 1)]),
      );
  }
}

const likely = (random: Random): unknown =>
  pick(random, [
    { name: pick(random, texts), handler: 'h', schedule: { kind: 'none' }, params: jsonValue(random) },
    { name: 'n', handler: 'h', schedule: { kind: 'cron', expression: pick(random, texts) } },
    { registryGroup: 'EXECUTOR', registryKey: pick(random, texts), registryValue: pick(random, texts) },
    [
      {
        logId: pick(random, [0, 1, 2, 1e9]),
        handleCode: pick(random, [200, 500, 502, 7]),
        handleMsg: pick(random, texts),
      },
    ],
    { from: 0, to: 9, limit: 5 },
    { text: pick(random, texts), format: 'sql' },
    {},
  ]);

function body(random: Random): string {
  switch (random.below(8)) {
    case 0:
      return '';
    case 1:
      return JSON.stringify(jsonValue(random)).slice(0, random.below(40));
    case 2:
      return '['.repeat(random.below(5_000));
    case 3:
      return `{"a":`.repeat(100) + '1'.repeat(random.below(3)) + '}'.repeat(100);
    case 4:
      return 'x'.repeat(random.below(60_000));
    case 5:
      return JSON.stringify(jsonValue(random));
    default:
      return JSON.stringify(likely(random));
  }
}

onEveryDatabase(() => {
  test.each([
    { seed: 1, accessToken: undefined },
    { seed: 2, accessToken: 'secret' },
  ])(
    `${REQUESTS} random requests (seed $seed) get a clear answer each, and the server lives on`,
    async ({ seed, accessToken }) => {
      const { ring, url, job, ended, registered } = await networkStage({
        http: { port: 0, maxBodyBytes: 10_000, maxExecutors: 50, accessToken },
      });
      const random = seededRandom(seed);
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      onTestFinished(() => agent.destroy());
      const statuses = new Map<number, number>();
      const one = async () => {
        const headers: Record<string, string> = {};
        const contentType = pick(random, contentTypes);
        if (contentType !== '') headers['content-type'] = contentType;
        if (random.below(3) > 0)
          headers.authorization = pick(random, [
            'Bearer secret',
            'Bearer wrong',
            'Bearer',
            'bearer  secret',
            'x'.repeat(4_000),
          ]);
        if (random.below(3) > 0) headers['xxl-job-access-token'] = pick(random, ['secret', 'wrong', '']);
        if (random.below(20) === 0) headers.host = pick(random, ['evil.example', 'localhost', '[::1]', '%00']);
        if (random.below(20) === 0) headers['content-encoding'] = 'gzip';
        const method = pick(random, methods);
        const query =
          random.below(4) === 0
            ? `?${pick(random, ['limit', 'cursor', 'state', 'jobId', '__proto__', 'fromLine'])}=${encodeURIComponent(pick(random, texts))}`
            : '';
        const path = pick(random, paths) + query;
        const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
        const answer = await rawRequest(url, {
          method,
          path,
          headers,
          body: hasBody ? body(random) : undefined,
          agent,
        });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
        expect(answer.text).not.toMatch(/\n\s+at |\.[jt]s:\d+/);
        if (answer.status >= 400 && path.startsWith('/admin') && method !== 'HEAD')
          answerSchemas.error.parse(JSON.parse(answer.text));
      };
      for (let sent = 0; sent < REQUESTS; sent += 8) await Promise.all(Array.from({ length: 8 }, () => one()));
      for (const status of [200, 400, 404, 405, 413]) expect(statuses.get(status), `HTTP ${status}`).toBeGreaterThan(0);
      if (accessToken !== undefined) expect(statuses.get(401)).toBeGreaterThan(0);
      expect((await ring.executors.list()).length).toBeLessThanOrEqual(50);
      expect(Object.prototype).toEqual(({} as object).constructor.prototype);
      expect(({} as { start?: unknown }).start).toBeUndefined();

      await remoteExecutor({ ring: url, accessToken, group: 'after', handlers: { work: () => 'alive' } });
      await registered(1, 'after');
      const { id } = await job({ executorGroup: 'after' });
      expect(await ended((await ring.jobs.trigger(id)).id)).toMatchObject({ state: 'succeeded', message: 'alive' });
    },
  );

  test('connections that speak no HTTP, break off or send tricks do no harm', async () => {
    const { url, ring } = await networkStage();
    const random = seededRandom(3);
    const { port } = new URL(url);
    const openings = [
      'GET /admin/health HTTP/1.1\r\n\r\n',
      'GET /admin/health HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
      'POST /api/callback HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /api/callback HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n',
      'POST /api/callback HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999\r\n\r\n[',
      'POST /api/callback HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n',
      'GET /admin/events HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001',
      '',
    ];
    const talk = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(text);
          if (random.below(2) === 0) socket.end();
          else socket.resetAndDestroy();
        });
        socket.on('data', () => {});
        socket.on('error', () => {});
        socket.on('close', () => resolve());
      });
    for (let sent = 0; sent < RAW_CONNECTIONS; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, () => talk(pick(random, openings))));
    }
    expect((await rawRequest(url, { path: '/admin/health' })).status).toBe(200);
    expect(ring.health().status).toBe('ok');
  });
});
