import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConsoleNode, startConsoleNode } from '../support/console-nodes.js';
import { type DatabaseServer, databases } from '../support/databases.js';
import { clientsOf, PASSWORD, type SessionClient } from './stage.js';

/** Long enough for a machine that does ten other things; nothing waits for it when all is well. */
const PATIENCE_MS = 60_000;
const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: PATIENCE_MS, interval: 50 });

const clientsAt = ({ url }: ConsoleNode, invitation: () => Promise<string>) =>
  clientsOf((request) => fetch(request), url.slice(0, -1), invitation);

describe.each(databases)('two nodes in processes of their own, on $name', ({ name, start }) => {
  let server: DatabaseServer | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server?.stop();
  });
  beforeEach(({ skip }) => {
    if (server === 'unavailable') skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
  });

  async function twoNodes() {
    const database = await (server as DatabaseServer).freshDatabase();
    const alpha = await startConsoleNode(database, 'alpha');
    const beta = await startConsoleNode(database, 'beta');
    const invitationOf = async (node: ConsoleNode) =>
      /invitation=(\S+)/.exec((await node.heard('invitation')).invitation!)![1]!;
    const here = clientsAt(alpha, () => invitationOf(alpha));
    const there = clientsAt(beta, () => invitationOf(beta));
    const admin = await here.firstAdmin();
    const { cookie, csrf } = admin;
    const atBeta = there.withSession(cookie, csrf);
    return { alpha, beta, here, there, admin, atBeta, invitationOf };
  }

  const job = (nodeId: string, handler = 'dictated') => ({
    ...{ name: `job of ${nodeId}`, handler, executorGroup: nodeId, schedule: { kind: 'none' } },
  });
  const logOf = async (client: SessionClient, runId: number) =>
    (await client.ask('GET', `/admin/runs/${runId}/log`)).body.lines as string[];

  test('a session, a token and a right of one count at the other, and one invitation is enough', async () => {
    const { beta, here, there, admin, atBeta, invitationOf } = await twoNodes();
    // Each has printed an address of its own; whichever is used first, the other is over.
    const late = { invitation: await invitationOf(beta), name: 'eve', password: 'long enough too' };
    expect((await there.anybody.ask('POST', '/console/first-admin', late)).status).toBe(403);

    expect((await atBeta.ask('POST', '/admin/jobs', job('beta'))).status).toBe(201);
    expect((await admin.ask('GET', '/admin/jobs')).body.jobs).toMatchObject([{ name: 'job of beta' }]);
    const { entries } = (await admin.ask('GET', '/console/audit?jobId=1')).body;
    expect(entries).toMatchObject([{ who: 'ada', status: 201 }]);

    const { secret } = (await admin.ask('POST', '/console/tokens', { name: 'ci', role: 'viewer' })).body;
    const bearer = { authorization: `Bearer ${secret}` };
    expect((await there.anybody.ask('GET', '/admin/jobs', undefined, bearer)).status).toBe(200);
    await admin.ask('POST', '/console/users', { name: 'sam', role: 'operator', password: PASSWORD });
    const sam = await here.logIn('sam');
    await atBeta.ask('DELETE', '/console/users/sam');
    expect((await sam.ask('GET', '/admin/jobs')).status).toBe(401);
  });

  test('the console of one shows nodes, runs, logs and events of both, and that one was stopped', async () => {
    const { alpha, beta, here, admin } = await twoNodes();
    const nodes = async () =>
      ((await admin.ask('GET', '/admin/nodes')).body.nodes as { nodeId: string; isAlive: boolean }[]).map(
        ({ nodeId, isAlive }) => `${nodeId} ${isAlive ? 'alive' : 'silent'}`,
      );
    await soon(nodes).toEqual(['alpha alive', 'beta alive']);
    const events = await here.events(admin);
    const groups = async () =>
      ((await admin.ask('GET', '/admin/executors')).body.executors as { group: string }[]).map(({ group }) => group);
    await soon(groups).toEqual(['alpha', 'beta']);

    // A node shares its events from when it knows that somebody listens, which is a second at most.
    const greeting = (await admin.ask('POST', '/admin/jobs', job('beta', 'echo'))).body.id as number;
    await soon(async () => {
      const { id } = (await admin.ask('POST', `/admin/jobs/${greeting}/trigger`, {})).body;
      await admin.ask('GET', `/admin/runs/${id}/wait`);
      return events().length;
    }).toBeGreaterThan(0);
    const own = (await admin.ask('POST', '/admin/jobs', job('alpha', 'echo'))).body.id as number;
    const others = (await admin.ask('POST', '/admin/jobs', job('beta'))).body.id as number;
    // One is triggered here and runs there; the other the other way round.
    const run = (await admin.ask('POST', `/admin/jobs/${others}/trigger`, {})).body.id as number;
    expect((await beta.heard('run-begun')).runId).toBe(run);
    beta.say({ trigger: own });
    const triggered = (await beta.heard('triggered')).runId!;
    const states = async () =>
      Object.fromEntries(
        ((await admin.ask('GET', '/admin/runs')).body.runs as { id: number; state: string }[]).map((one) => [
          ...[one.id, one.state],
        ]),
      );
    await soon(states).toMatchObject({ [run]: 'running', [triggered]: 'succeeded' });

    // The log is read here while it is written there.
    beta.say({ line: 'first' });
    await soon(() => logOf(admin, run)).toEqual(['first']);
    beta.say({ line: 'second' });
    await soon(() => logOf(admin, run)).toEqual(['first', 'second']);
    expect(await states()).toMatchObject({ [run]: 'running' });
    beta.say({ end: true });
    await soon(async () => events()).toContain(`run-succeeded ${run}`);
    expect(events()).toEqual(expect.arrayContaining([`run-started ${run}`, `run-succeeded ${triggered}`]));
    expect((await admin.ask('GET', `/admin/runs/${run}`)).body).toMatchObject({ message: 'done at beta' });

    beta.say({ stop: true });
    await beta.ended;
    await soon(nodes).toEqual(['alpha alive']);
    await soon(groups).toEqual(['alpha']);
    expect((await admin.ask('GET', '/admin/health')).body).toMatchObject({ nodeId: alpha.nodeId, status: 'ok' });
  });

  test('when one is killed the other no longer shows it, and shows what became of its run', async () => {
    const { beta, admin } = await twoNodes();
    const { id } = (await admin.ask('POST', '/admin/jobs', job('beta'))).body;
    const run = (await admin.ask('POST', `/admin/jobs/${id}/trigger`, {})).body.id as number;
    await beta.heard('run-begun');
    beta.say({ line: 'before the end' });
    await soon(() => logOf(admin, run)).toEqual(['before the end']);
    await beta.kill();
    await soon(async () => (await admin.ask('GET', '/admin/nodes')).body.nodes.length).toBe(1);
    const shown = async () => (await admin.ask('GET', `/admin/runs/${run}`)).body.state;
    await soon(shown).not.toBe('running');
    expect(await logOf(admin, run)).toEqual(['before the end']);
  });
});
