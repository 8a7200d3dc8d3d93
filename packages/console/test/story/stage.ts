import { createExecutor, type RingOptions, startTimeRing, type TimeRing } from '@horae/time-ring';
import { onTestFinished } from 'vitest';
import { type ConsoleOptions, createConsole } from '../../src/index.js';
import { printedLines } from '../support/printed-lines.js';

export const PASSWORD = 'correct horse battery';

/** A ring with a console, and the address for the first admin that it has printed. */
export async function consoleStage(
  options: Partial<ConsoleOptions> & Pick<Partial<RingOptions>, 'database' | 'channels'> = {},
) {
  const { database = 'sqlite::memory:', channels = {}, ...more } = options;
  const { lines, log, invitationLine } = printedLines();
  const ring = await startTimeRing({ database, log, channels });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  await createExecutor({ ring, handlers: { echo: ({ params }) => JSON.stringify(params) } });
  const panel = createConsole({ ring, ...more });
  onTestFinished(() => panel.close());
  await panel.hasUsers();
  const invitation = async () => /invitation=(\S+)/.exec(await invitationLine())![1]!;
  return {
    ring,
    panel,
    lines,
    invitation,
    ...clientsOf(panel.fetch, `http://console.example${options.basePath ?? ''}`, invitation),
  };
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

/** Somebody with a session. */
export interface SessionClient extends Client {
  readonly cookie: string;
  readonly csrf: string;
}

/** Those who call a console that `fetch` reaches below `base`. */
export function clientsOf(
  fetch: (request: Request) => Promise<Response>,
  base: string,
  invitation: () => Promise<string>,
) {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const response = await fetch(
      new Request(`${base}${path}`, {
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
  const withSession = (cookie: string, csrf: string): SessionClient => ({
    cookie,
    csrf,
    ask: (method, path, body, headers = {}) => send(method, path, body, { cookie, 'x-csrf-token': csrf, ...headers }),
  });
  const begun = async (answer: Answer): Promise<SessionClient> => {
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    return withSession(cookie, (await send('GET', '/console/session', undefined, { cookie })).body.csrf);
  };
  return {
    anybody,
    withSession,
    firstAdmin: async () => {
      const body = { invitation: await invitation(), name: 'ada', password: PASSWORD };
      return begun(await anybody.ask('POST', '/console/first-admin', body));
    },
    logIn: async (name: string, password = PASSWORD) =>
      begun(await anybody.ask('POST', '/console/session', { name, password })),
    events: ({ cookie }: SessionClient) => followEvents(fetch, `${base}/admin/events`, cookie),
  };
}

/** Listens to the events of runs until the test is over: what they were and which run, so far. */
async function followEvents(
  fetch: (request: Request) => Promise<Response>,
  url: string,
  cookie: string,
): Promise<() => readonly string[]> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(new Request(url, { headers: { cookie }, signal: leaving.signal }));
  const seen: string[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const whole = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = whole.pop()!;
      for (const event of whole) {
        const found = /^event: (run-\S+)\ndata: (.*)$/s.exec(event);
        if (found !== null) seen.push(`${found[1]} ${(JSON.parse(found[2]!) as { run: { id: number } }).run.id}`);
      }
    }
  };
  read().catch(() => {});
  return () => seen;
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
