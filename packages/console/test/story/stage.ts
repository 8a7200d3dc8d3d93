import { createExecutor, type RingOptions, startTimeRing, type TimeRing } from '@horae/time-ring';
import { onTestFinished } from 'vitest';
import { type Console, type ConsoleOptions, createConsole } from '../../src/index.js';

export const PASSWORD = 'correct horse battery';

/** A ring with a console, and the address for the first admin that it has printed. */
export async function consoleStage(
  options: Partial<ConsoleOptions> & Pick<Partial<RingOptions>, 'database' | 'channels'> = {},
) {
  const { database = 'sqlite::memory:', channels = {}, ...more } = options;
  const lines: string[] = [];
  const log = {
    debug() {},
    warn() {},
    error() {},
    info: (_facts: object, message: string) => void lines.push(message),
  };
  const ring = await startTimeRing({ database, log, channels });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  await createExecutor({ ring, handlers: { echo: ({ params }) => JSON.stringify(params) } });
  const panel = createConsole({ ring, ...more });
  onTestFinished(() => panel.close());
  await panel.hasUsers();
  const invitation = async () => {
    while (!lines.some((line) => line.includes('invitation='))) await new Promise((resolve) => setImmediate(resolve));
    return /invitation=(\S+)/.exec(lines.find((line) => line.includes('invitation='))!)![1]!;
  };
  return { ring, panel, lines, invitation, ...clients(panel, options.basePath ?? '', invitation) };
}

/** Somebody who calls the console. */
export interface Client {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly body: any;
}

function clients(panel: Console, basePath: string, invitation: () => Promise<string>) {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const response = await panel.fetch(
      new Request(`http://console.example${basePath}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: text !== '' && isJson ? JSON.parse(text) : text,
    };
  };
  const anybody: Client = { ask: (method, path, body, headers = {}) => send(method, path, body, headers) };
  const withCookie = async (answer: Answer): Promise<Client & { cookie: string; csrf: string }> => {
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const { csrf } = (await send('GET', '/console/session', undefined, { cookie })).body;
    return {
      cookie,
      csrf,
      ask: (method, path, body, headers = {}) => send(method, path, body, { cookie, 'x-csrf-token': csrf, ...headers }),
    };
  };
  return {
    anybody,
    firstAdmin: async () => {
      const body = { invitation: await invitation(), name: 'ada', password: PASSWORD };
      return withCookie(await anybody.ask('POST', '/console/first-admin', body));
    },
    logIn: async (name: string, password = PASSWORD) =>
      withCookie(await anybody.ask('POST', '/console/session', { name, password })),
  };
}

/** Adds a user and logs in as that user. */
export async function userWith(
  stage: Awaited<ReturnType<typeof consoleStage>>,
  admin: Client,
  grant: { name: string; role: string; groups?: readonly string[] | null },
) {
  await admin.ask('POST', '/console/users', { password: PASSWORD, ...grant });
  return stage.logIn(grant.name);
}

/** A stopped job of the group. */
export function addJob(ring: TimeRing, name: string, executorGroup = 'default') {
  return ring.jobs.add({ name, handler: 'echo', schedule: { kind: 'none' }, executorGroup });
}
