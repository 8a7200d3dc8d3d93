import { createHmac } from 'node:crypto';
import { createManualClock } from '@horae/clock-store/testing';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { createAlertSenders } from '../../src/http/alert-senders.js';
import { type AlertChannel, type AlertMessage, startTimeRing } from '../../src/index.js';
import { alertSink } from '../support/alert-stage.js';
import { eventually } from '../support/network-stage.js';
import { START } from '../support/ring-stage.js';

const message: AlertMessage = {
  ...{ id: 7, on: 'fire-failed', count: 2, at: START, text: 'Job "a" has failed: ä', nodeId: 'n' },
  job: { id: 1, key: 'a', name: 'a' },
  run: { id: 5, fireId: 5, attempt: 1, scheduleTime: null, message: 'ä' },
};
const clock = createManualClock({ now: START + 1_234 });
const { signal } = new AbortController();

const send = (channel: AlertChannel) =>
  Promise.resolve(createAlertSenders({ ops: channel }, clock).get('ops')!(message, { signal }));

test.each([
  { format: 'json', expected: message },
  { format: 'slack', expected: { text: message.text } },
  { format: 'dingtalk', expected: { msgtype: 'text', text: { content: message.text } } },
  { format: 'wecom', expected: { msgtype: 'text', text: { content: message.text } } },
  { format: 'feishu', expected: { msg_type: 'text', content: { text: message.text } } },
] as const)('a webhook in the format $format gets the text as the service wants it', async ({ format, expected }) => {
  const sink = await alertSink();
  await send({ kind: 'webhook', url: `${sink.url}/hook?a=b`, format });
  const [{ path, headers, text }] = sink.calls as [(typeof sink.calls)[0]];
  expect(JSON.parse(text)).toEqual(expected);
  expect(path).toBe('/hook?a=b');
  expect(headers).toMatchObject({ 'x-horae-alert': '7', 'x-horae-timestamp': String((START + 1_000) / 1_000) });
  expect(headers['x-horae-signature']).toBeUndefined();
});

test('a webhook in the format teams gets an adaptive card with the text', async () => {
  const sink = await alertSink();
  await send({ kind: 'webhook', url: sink.url, format: 'teams' });
  const { type, attachments } = JSON.parse(sink.calls[0]!.text);
  expect([type, attachments[0].contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
  expect(attachments[0].content.body[0].text).toBe(message.text);
});

test('with a secret, DingTalk and Feishu get the signatures that their robots check', async () => {
  const sink = await alertSink();
  await send({ kind: 'webhook', url: `${sink.url}/?access_token=t`, format: 'dingtalk', secret: 's' });
  await send({ kind: 'webhook', url: sink.url, format: 'feishu', secret: 's' });
  const query = new URL(sink.calls[0]!.path, sink.url).searchParams;
  const timestamp = query.get('timestamp');
  expect(timestamp).toBe(String(START + 1_234));
  expect(query.get('sign')).toBe(createHmac('sha256', 's').update(`${timestamp}\ns`).digest('base64'));
  expect(query.get('access_token')).toBe('t');
  const body = JSON.parse(sink.calls[1]!.text);
  expect(body.sign).toBe(createHmac('sha256', `${body.timestamp}\ns`).digest('base64'));
  expect(sink.calls[1]!.headers['x-horae-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
});

test.each([301, 400, 503])('an answer of %i is no arrival', async (status) => {
  const sink = await alertSink(status);
  await expect(send({ kind: 'webhook', url: sink.url })).rejects.toThrow(`HTTP ${status}`);
});

/** A real mail server that keeps what it gets. */
async function mailServer() {
  const mails: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      done();
    },
  });
  const listening = await new Promise<{ port: number }>((resolve) => {
    const socket = server.listen(0, '127.0.0.1', () => resolve(socket.address() as { port: number }));
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { mails, url: `smtp://127.0.0.1:${listening.port}` };
}

test('an email goes to all receivers, with the text as its subject', async () => {
  const { mails, url } = await mailServer();
  await send({ kind: 'email', smtp: url, to: ['a@example.org', 'b@example.org'], from: 'ring@example.org' });
  await eventually(() => expect(mails.length).toBe(1));
  expect(mails[0]!.to).toEqual(['a@example.org', 'b@example.org']);
  expect(mails[0]!.text).toMatch(/^Subject: .*Job/m);
  expect(mails[0]!.text).toMatch(/^X-Horae-Alert: 7/im);
});

test('a mail server that is not there is a failure', async () => {
  await expect(send({ kind: 'email', smtp: 'smtp://127.0.0.1:1', to: 'a@example.org' })).rejects.toThrow(
    /ECONNREFUSED/,
  );
});

test.each([
  { story: 'a cause that is none', options: { alerts: [{ on: 'boredom', channel: 'ops' }] }, field: 'alerts.0.on' },
  { story: 'a rule without a channel', options: { alerts: [{ on: 'late' }] }, field: 'alerts.0.channel' },
  {
    story: 'a URL that is none',
    options: { channels: { ops: { kind: 'webhook', url: 'ops' } } },
    field: 'channels.ops.url',
  },
  { story: 'a kind that is none', options: { channels: { ops: { kind: 'pigeon' } } }, field: 'channels.ops.kind' },
  {
    story: 'a format that is none',
    options: { channels: { ops: { kind: 'webhook', url: 'http://a', format: 'x' } } },
    field: 'channels.ops.format',
  },
  { story: 'a quiet time below zero', options: { quietMs: -1 }, field: 'quietMs' },
])('an option with $story is refused', async ({ options, field }) => {
  await expect(startTimeRing({ database: 'sqlite::memory:', ...(options as object) })).rejects.toMatchObject({
    code: 'bad-option',
    details: { field },
  });
});

test('a rule of a job that is none is refused', async () => {
  await using ring = await startTimeRing({ database: 'sqlite::memory:' });
  const job = { name: 'a', handler: 'a', schedule: { kind: 'none' } } as const;
  const alerts = [{ on: 'boredom', channel: 'ops' }] as never;
  await expect(ring.jobs.add({ ...job, alerts })).rejects.toMatchObject({
    code: 'bad-job',
    details: { field: 'alerts.0.on' },
  });
  const rules = [{ on: 'late', afterMs: 5, channel: 'ops' }] as const;
  expect(await ring.jobs.add({ ...job, alerts: rules })).toMatchObject({ alerts: rules });
});
