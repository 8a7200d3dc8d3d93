import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askRaw } from '../stage/ask-raw.js';
import { newDatabase, runToEnd, startDemoProcess } from '../stage/demo-process.js';

const start = async (args: readonly string[], database?: string) => {
  const demo = await startDemoProcess(args, database);
  onTestFinished(async () => void (await demo.end('SIGKILL')));
  return demo;
};

test('a busy port is not taken: it picks another and says so', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void blocker.close(() => resolve())));
  const { port } = blocker.address() as { port: number };
  const demo = await start(['--port', String(port)]);
  expect(demo.port).not.toBe(port);
  expect(demo.output()).toContain(`Port ${port} is busy; ${demo.port} is taken instead.`);
  expect((await askRaw(demo, '/')).status).toBe(200);
});

test('it says where it is, and what to click first', async () => {
  const demo = await start(['--port', '0']);
  await demo.printed('1. Time ring: press Trigger beside a job');
  await demo.printed('4. Cron lab:');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it cleanly', async (signal) => {
  const demo = await start(['--port', '0']);
  expect(await demo.end(signal)).toBe(0);
  expect(demo.output()).toContain('Stopped; everything is recorded.');
});

test('it ends while a page listens', async () => {
  const demo = await start(['--port', '0']);
  const response = await fetch(`${demo.address}api/events`);
  const reader = response.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('retry');
  expect(await demo.end()).toBe(0);
});

test('a second start on the same file joins, says what it may do, and takes the tasks over when the first is killed', async () => {
  const database = newDatabase();
  const first = await start(['--port', '0'], database);
  const second = await start(['--port', '0'], database);
  expect(second.output()).toContain('Another process runs the tasks of');
  expect(second.output()).toContain('--database other.db');
  expect(await statusOfTasks(second.address)).toContain('"status":"elsewhere"');
  await first.end('SIGKILL');
  expect(await statusOfTasks(second.address, '"status":"running"')).toContain('tide-gauge');
  expect(await second.end()).toBe(0);
});

test('it starts again on a file that it left by a kill', async () => {
  const first = await start(['--port', '0']);
  await first.end('SIGKILL');
  const second = await start(['--port', '0'], first.database);
  expect(second.output()).not.toContain('Another process');
  expect(await second.end()).toBe(0);
});

test.each([
  { story: 'a port that is none', args: ['--port', 'many'], says: '--port takes a whole number' },
  { story: 'an unknown option', args: ['--colour', 'red'], says: '--colour' },
])('a command line with $story is refused with the remedy', async ({ args, says }) => {
  const { code, output } = await runToEnd(args);
  expect(code).toBe(2);
  expect(output).toContain(says);
  expect(output).toContain('npm start');
});

test('a database that is none is refused with its name', async () => {
  const { code, output } = await runToEnd(['--port', '0', '--database', 'no/such/folder/demo.db']);
  expect(code).toBe(1);
  expect(output).toContain('no/such/folder');
});

/** The snapshot of the tasks as the page gets it; with `until`, the first one that contains it. */
async function statusOfTasks(address: string, until = ''): Promise<string> {
  const ending = new AbortController();
  const response = await fetch(`${address}api/events`, { signal: ending.signal });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended; it said ${text.slice(-500)}`);
      text += decoder.decode(value, { stream: true });
      const found = [...text.matchAll(/event: tasks\ndata: (.*)\n\n/g)]
        .map((match) => match[1]!)
        .find((data) => data.includes(until));
      if (found !== undefined) return found;
    }
  } finally {
    ending.abort();
  }
}
