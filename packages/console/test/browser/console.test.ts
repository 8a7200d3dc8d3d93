import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestPostgres } from '@horae/clock-store/testing';
import { axeFindings, openBrowser } from '@horae-tooling/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT, startProvider } from '../support/oidc-provider.js';
import { logIn, openPage, openPlace, PASSWORD, type Place, picture, settled, visit } from './browser-stage.js';

// One file for all of them: the browser is unpacked and started once.
let browser: Browser | { reason: string };
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  if ('close' in browser) await browser.close();
});
beforeEach(({ skip }) => {
  if ('reason' in browser) skip(browser.reason);
});

const everything = ['minor', 'moderate', 'serious', 'critical'] as const;

/** The first admin, made by clicking. */
async function asAdmin(place: Place, options: Parameters<typeof openPage>[3] = {}): Promise<Page> {
  const page = await openPage(browser as Browser, place, place.invitation, options);
  await logIn(page);
  return page;
}

/** A page that is not the console's, on a port of its own. */
async function openOtherOrigin(html: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A receiver of webhooks. */
async function openSink(): Promise<{ url: string; messages: { on: string }[] }> {
  const messages: { on: string }[] = [];
  const server = createServer(async (request, response) => {
    messages.push(JSON.parse(Buffer.concat(await request.toArray()).toString()) as { on: string });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages };
}

async function addUser(page: Page, name: string, role: string, groups = ''): Promise<void> {
  await visit(page, 'users');
  await page.getByText('New user').click();
  const form = page.locator('details', { hasText: 'New user' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('Role').selectOption(role);
  await form.getByLabel(/^Groups/).fill(groups);
  await form.getByRole('button', { name: 'Add' }).click();
  await page.locator(`[data-user="${name}"]`).waitFor();
}

describe.each([
  { name: 'SQLite', start: async () => ({ freshDatabase: async () => 'sqlite::memory:', stop: async () => {} }) },
  { name: 'PostgreSQL', start: startTestPostgres },
])('in a real browser, on $name', ({ start }) => {
  let server: { freshDatabase(): Promise<string>; stop(): Promise<void> };
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  const open = async () => openPlace(await server.freshDatabase());

  test('from the printed address to a job with help for its schedule, its runs and their log', async () => {
    const place = await open();
    const page = await asAdmin(place, { refusals: true });
    await visit(page, 'jobs');
    await page.getByText('There are no jobs yet.').waitFor();
    await page.getByRole('link', { name: 'New job' }).click();
    await page.getByLabel('Name', { exact: true }).fill('morning report');
    await page.getByLabel('Handler', { exact: true }).fill('echo');
    await page.getByLabel('Cron expression').fill('0 0 9 ? * MON-FRX');
    await page.getByTestId('cron-fault').waitFor();
    await page.getByLabel('Cron expression').fill('0 0 9 ? * MON-FRI');
    await page.getByText('from Monday to Friday').waitFor();
    expect(await page.locator('.next-times tbody tr').count()).toBe(10);
    await page.getByLabel('Parameters (JSON)').fill('{ "to": "ops" }');
    await picture(page, 'new-job');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('heading', { name: 'morning report' }).waitFor();
    await page.getByRole('button', { name: 'Trigger morning report' }).click();
    await page.locator('[data-run][data-state="succeeded"]').waitFor();
    await picture(page, 'job');
    await page.locator('[data-run] a').first().click();
    await page.getByRole('log').getByText('{"to":"ops"}').waitFor();
    expect(await page.locator('.ansi-ink-1').textContent()).toBe('given');
    await picture(page, 'run');

    await page.goBack();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Retries').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-audit="PATCH /admin/jobs/{id}"]').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await page.getByText('morning report is removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'morning report' }).waitFor();
    expect((await place.ring.jobs.list()).jobs).toMatchObject([
      { name: 'morning report', retries: 3, state: 'RUNNING' },
    ]);
  });

  test('a run is killed, another retried, and the list follows with its filters in the address', async () => {
    const place = await open();
    const job = (name: string, handler: string) => place.ring.jobs.add({ name, handler, schedule: { kind: 'none' } });
    const held = await job('held', 'hold');
    const failing = await job('failing', 'fail');
    const page = await asAdmin(place);
    await visit(page, 'runs');
    await place.ring.jobs.trigger(held.id);
    await page.locator('[data-state="running"]', { hasText: 'held' }).waitFor();
    await place.ring.jobs.trigger(failing.id);
    await page.locator('[data-state="failed"]', { hasText: 'it cannot be done' }).waitFor();
    await page.getByLabel('State').selectOption('running');
    await page.locator('[data-state="failed"]').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-state="running"] a').first().click();
    await page.getByRole('log').getByText('holding').waitFor();
    await page.getByRole('button', { name: 'Kill' }).click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await page.locator('.facts', { hasText: 'killed' }).waitFor();
    await visit(page, 'runs');
    await page.locator('[data-state="failed"] a').first().click();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(/Run \d+ tries again/).waitFor();
    await page.locator('[data-run]').nth(1).waitFor();
    await page.evaluate(`location.hash = '#/runs?state=dead'`);
    await page.locator('[data-state="killed"]').waitFor({ state: 'detached' });
    await page.locator('[data-state="failed"]', { hasText: 'failing' }).waitFor();
    await visit(page, '');
    await page.locator('.tile-bad', { hasText: 'failed for good in 24 h' }).waitFor();
    await page.locator('.tile-bad', { hasText: 'failed in 24 h' }).waitFor();
    await page.getByRole('link', { name: '1 executor' }).waitFor();
    await page.getByRole('link', { name: 'failing' }).first().waitFor();
    await picture(page, 'overview');
    await page.getByLabel('Period').selectOption('month');
    await page.getByRole('img', { name: '0 succeeded, 3 failed or killed' }).waitFor();
  });

  test('a job gets a rule, its failure reaches the channel, and the page shows what went out and what did not', async () => {
    const sink = await openSink();
    const place = await openPlace(await server.freshDatabase(), {
      channels: {
        ops: { kind: 'webhook', url: `${sink.url}/s3cret`, secret: 's3cret' },
        down: { kind: 'webhook', url: 'http://127.0.0.1:1/' },
      },
    });
    await place.ring.jobs.add({ name: 'failing', handler: 'fail', schedule: { kind: 'none' } });
    const page = await asAdmin(place, { refusals: true });
    await visit(page, 'alerts');
    await page.getByText('There are no rules: nobody hears of failures.').waitFor();
    await page.getByRole('button', { name: 'Send a test to ops' }).click();
    await page.getByText('ops has taken the test message.').waitFor();
    expect(sink.messages).toMatchObject([{ on: 'test' }]);
    await page.getByRole('button', { name: 'Send a test to down' }).click();
    await page.getByText('The channel "down" did not take the message').waitFor();

    await visit(page, 'jobs');
    await page.getByRole('link', { name: 'failing' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByTestId('rule').getByLabel('Channel').fill('ops');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.facts', { hasText: 'has failed for good → ops' }).waitFor();
    await visit(page, 'alerts');
    await page.locator('[data-rule^="job "]', { hasText: 'job failing' }).waitFor();
    await page.getByText('Rules of a group').click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByTestId('rule').getByLabel('Channel').fill('down');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-rule^="group default"]', { hasText: 'down' }).waitFor();

    await place.ring.jobs.trigger((await place.ring.jobs.list()).jobs[0]!.id);
    await page.locator('[data-delivery="sent"]', { hasText: 'it cannot be done' }).waitFor();
    await page.locator('[data-delivery="waiting"]', { hasText: 'ECONNREFUSED' }).waitFor();
    expect(sink.messages.at(-1)).toMatchObject({ on: 'fire-failed', job: { name: 'failing' } });
    await picture(page, 'alerts');
    await page.getByLabel('State').selectOption('sent');
    await page.locator('[data-delivery="waiting"]').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('s3cret');
  });

  test('a flow is followed step by step in its drawing, by keyboard too, and cancelled', async () => {
    const place = await open();
    const none = { kind: 'none' } as const;
    for (const key of ['echo', 'hold', 'fail'])
      await place.ring.jobs.add({ key, name: key, handler: key, schedule: none });
    const flow = await place.ring.flows.start({
      name: 'night shift',
      steps: {
        fetch: { job: 'echo' },
        check: { job: 'hold', after: ['fetch'] },
        report: { job: 'echo', after: ['check'] },
        clean: { job: 'echo', after: ['check'], when: 'failed' },
      },
    });
    const page = await asAdmin(place);
    await visit(page, 'flows');
    await page.locator('[data-flow="night shift"]').getByRole('link').click();
    await page.locator('[data-step="fetch"][data-step-state="succeeded"]').waitFor();
    await page.locator('[data-step="check"][data-step-state="running"]').waitFor();
    await picture(page, 'flow');
    await page.getByRole('link', { name: /^check\s+running$/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Kill' }).click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await page.locator('.facts', { hasText: 'killed' }).waitFor();
    await page.goBack();
    await page.locator('[data-step="clean"][data-step-state="succeeded"]').waitFor();
    await page.locator('[data-step="report"][data-step-state="skipped"]').waitFor();
    expect((await place.ring.flows.get(flow.id))!.state).toBe('failed');
    expect(await axeFindings(page, everything)).toEqual([]);

    const second = await place.ring.flows.start({ name: 'second', steps: { a: { job: 'hold' } } });
    await page.evaluate(`location.hash = '#/flows/${second.id}'`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await page.locator('.facts', { hasText: 'cancelled' }).waitFor();
  });

  test('a flow is started with the keyboard alone, and what is wrong stands beside its field', async () => {
    const place = await open();
    for (const key of ['echo', 'fail'])
      await place.ring.jobs.add({ key, name: key, handler: key, schedule: { kind: 'none' } });
    const page = await asAdmin(place, { refusals: true });
    await visit(page, 'flows');
    const { keyboard } = page;
    await page.getByRole('link', { name: 'New flow' }).press('Enter');
    /** The control that has the cursor, by its label, and what is said about it. */
    const here = () =>
      page.evaluate(
        `(() => { const at = document.activeElement; const by = at.getAttribute('aria-describedby');
          return [at.closest('label')?.firstChild.textContent, by && document.getElementById(by).textContent]; })()`,
      );
    await page.getByRole('heading', { name: 'New flow', level: 1 }).waitFor();
    // A new page has the focus on its heading.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByLabel('Name').first().focus();
    await keyboard.press('Enter');
    await expect.poll(here).toEqual(['Name', 'A name is needed.']);
    await keyboard.type('night shift');
    await keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('step').getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(here).toEqual(['Name', 'A name is needed.']);
    await keyboard.type('fetch');
    await keyboard.press('Tab');
    await keyboard.type('nobody');
    await keyboard.press('Enter');
    await expect.poll(here).toEqual(['Job (key or id)', expect.stringContaining('There is no job nobody')]);
    await picture(page, 'new-flow');
    expect(await axeFindings(page, everything)).toEqual([]);
    await keyboard.press('Control+A');
    await keyboard.type('echo');
    await page.getByRole('button', { name: 'Add a step' }).press('Enter');
    await page.getByTestId('step').nth(1).getByLabel('Name').focus();
    await keyboard.type('report');
    await keyboard.press('Tab');
    await keyboard.type('fail');
    await keyboard.press('Tab');
    await keyboard.type('fetched');
    await page.getByRole('button', { name: 'Start the flow' }).press('Enter');
    await expect.poll(here).toEqual(['After these steps, one per line', expect.stringContaining('"fetched"')]);
    await keyboard.press('Backspace');
    await keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Start the flow' }).press('Enter');
    await page.locator('[data-step="report"][data-step-state="failed"]').waitFor();
    await page.getByRole('button', { name: 'Retry failed steps' }).click();
    await page.getByText('1 runs try again.').waitFor();
    await expect.poll(async () => (await place.ring.runs.list({ state: 'failed' })).runs.length).toBe(2);
    expect((await place.ring.flows.list()).flows).toMatchObject([{ name: 'night shift' }]);
  });

  test('a flow is started from JSON, whose faults are named', async () => {
    const place = await open();
    await place.ring.jobs.add({ key: 'echo', name: 'echo', handler: 'echo', schedule: { kind: 'none' } });
    const page = await asAdmin(place, { refusals: true });
    await page.evaluate(`location.hash = '#/flows/new'`);
    await page.getByRole('button', { name: 'JSON' }).click();
    const text = page.getByLabel('Definition (JSON)');
    const start = async (definition: string) => {
      await text.fill(definition);
      await page.getByRole('button', { name: 'Start the flow' }).click();
    };
    await start('{');
    await page.getByText('This is not JSON.').waitFor();
    const circle = { a: { job: 'echo', after: ['b'] }, b: { job: 'echo', after: ['a'] } };
    await start(JSON.stringify({ name: 'circle', steps: circle }));
    await page.getByText('these steps wait for each other').waitFor();
    await start(JSON.stringify({ name: 'odd', steps: { a: { job: 'echo', wehn: 'over' } } }));
    await page.getByText('steps.a.wehn: is not known').waitFor();
    await text.fill(JSON.stringify({ name: 'two steps', steps: { a: { job: 'echo' }, b: { job: 1, after: ['a'] } } }));
    await page.getByRole('button', { name: 'Form' }).click();
    expect(await page.getByTestId('step').nth(1).getByLabel('After these steps').inputValue()).toBe('a');
    await page.getByRole('button', { name: 'Start the flow' }).click();
    await page.locator('[data-step="b"][data-step-state="succeeded"]').waitFor();
    await page.getByRole('link', { name: /^b\s+succeeded$/ }).click();
    await page.locator('.facts').getByRole('link', { name: '1', exact: true }).click();
    await page.locator('.facts', { hasText: 'succeeded' }).waitFor();
  });

  test('the list of jobs draws their last runs with one question, in words too, and nothing moves when they come', async () => {
    const place = await open();
    const add = async (name: string, handler: string, times: number) => {
      const { id } = await place.ring.jobs.add({ name, handler, schedule: { kind: 'none' } });
      for (let i = 0; i < times; i++) await place.ring.runs.wait((await place.ring.jobs.trigger(id)).id);
    };
    await add('good', 'echo', 14);
    await add('bad', 'fail', 2);
    for (let i = 0; i < 20; i++) await add(`idle ${i}`, 'echo', 0);
    const page = await asAdmin(place);
    const asked: string[] = [];
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/admin/recent-runs*', async (route) => {
      asked.push(route.request().url());
      await held;
      await route.continue();
    });
    await visit(page, 'jobs');
    await page.locator('[data-job="idle 19"]').waitFor();
    await expect.poll(() => asked.length).toBe(1);
    const places = async () => Promise.all((await page.locator('[data-job]').all()).map((row) => row.boundingBox()));
    const before = await places();
    answer();
    await page.getByRole('img', { name: /^12 runs: 12 succeeded; longest/ }).waitFor();
    await page.getByRole('img', { name: /^2 runs: 2 failed; longest/ }).waitFor();
    expect(await places()).toEqual(before);
    expect(asked.length).toBe(1);
    await picture(page, 'jobs');
  });

  test('two browsers with different rights: what one may not, it neither sees nor gets', async () => {
    const place = await open();
    await place.ring.jobs.add({ name: 'blue job', handler: 'echo', schedule: { kind: 'none' }, executorGroup: 'blue' });
    await place.ring.jobs.add({ name: 'red job', handler: 'echo', schedule: { kind: 'none' }, executorGroup: 'red' });
    const flow = (name: string, ...jobs: readonly number[]) =>
      place.ring.flows.start({ name, steps: Object.fromEntries(jobs.map((job) => [`step ${job}`, { job }])) });
    await flow('blue flow', 1);
    await flow('mixed flow', 1, 2);
    const admin = await asAdmin(place);
    await addUser(admin, 'vera', 'viewer', 'blue');
    const viewer = await openPage(browser as Browser, place, '', { refusals: true });
    await logIn(viewer, 'vera');
    await visit(viewer, 'jobs');
    await viewer.locator('[data-job="blue job"]').waitFor();
    expect(await viewer.locator('[data-job]').count()).toBe(1);
    expect(await viewer.getByRole('button', { name: /Trigger/ }).count()).toBe(0);
    expect(await viewer.locator('.nav a[href="#/users"]').count()).toBe(0);
    const status = await viewer.evaluate(
      `fetch('console/session').then((r) => r.json()).then(({ csrf }) => fetch('admin/jobs/1/trigger', { method: 'POST', headers: { 'content-type': 'application/json', 'x-csrf-token': csrf }, body: '{}' })).then((r) => r.status)`,
    );
    expect(status).toBe(403);
    await visit(viewer, 'flows');
    await viewer.locator('[data-flow="blue flow"]').waitFor();
    expect(await viewer.locator('[data-flow]').count()).toBe(1);
    expect(await viewer.getByRole('link', { name: 'New flow' }).count()).toBe(0);
    await visit(admin, 'jobs');
    await admin.getByLabel('Choose blue job').check();
    await admin.getByLabel('Choose red job').check();
    await admin.locator('.bulk').getByRole('button', { name: 'Trigger' }).click();
    await admin.getByText('Done for 2.').waitFor();
    await visit(viewer, 'runs');
    // Two of them are steps of the flows.
    await viewer.locator('[data-run]', { hasText: 'blue job' }).nth(2).waitFor();
    expect(await viewer.locator('[data-run]').count()).toBe(3);
  });

  test('no text that a job can hold becomes markup, on any page', async () => {
    const send = () => {
      throw new Error(evil);
    };
    const place = await openPlace(await server.freshDatabase(), { channels: { 'c <b>': { kind: 'function', send } } });
    const evil = '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>';
    const job = await place.ring.jobs.add({
      ...{ name: `n ${evil}`, handler: 'echo', schedule: { kind: 'none' }, key: `k ${evil}`, description: `d ${evil}` },
      ...{ owner: `o ${evil}`, labels: { [`l ${evil}`]: evil }, params: { [evil]: evil }, executorGroup: 'default' },
    });
    const failing = await place.ring.jobs.add({
      ...{ name: `f ${evil}`, handler: 'refuse', schedule: { kind: 'none' }, params: evil },
      alerts: [{ on: 'fire-failed', channel: 'c <b>' }],
    });
    await place.ring.calendars.put({ name: `cal ${evil}`, weekdays: [0] });
    await place.ring.groups.put({ name: `g ${evil}`, title: `t ${evil}` });
    await place.ring.jobs.add({
      name: 'other group',
      handler: 'h',
      schedule: { kind: 'none' },
      executorGroup: `g ${evil}`,
    });
    const page = await asAdmin(place);
    const bad = await place.ring.jobs.trigger(failing.id);
    await place.ring.jobs.trigger(job.id);
    await visit(page, 'runs');
    await page.locator('[data-state="succeeded"]', { hasText: evil }).waitFor();
    await page.locator('[data-state="succeeded"] a').first().click();
    await page.getByRole('log').getByText('alert(2)').waitFor();
    await page.evaluate(`location.hash = '#/runs/${bad.id}'`);
    await page.locator('.json', { hasText: `refused: ${evil}` }).waitFor();
    await page.locator('.facts', { hasText: `half of ${evil}` }).waitFor();
    await visit(page, 'alerts');
    await page.locator('[data-delivery]', { hasText: evil }).first().waitFor();
    await visit(page, 'jobs');
    await page.locator('[data-job]', { hasText: `g ${evil}` }).waitFor();
    await page.getByRole('link', { name: `n ${evil}` }).click();
    await page.getByText(`d ${evil}`).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-audit]').first().waitFor();
    for (const path of ['', 'jobs', 'runs', 'executors', 'calendars', 'alerts', 'audit']) {
      await visit(page, path);
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
    }
  });

  test('a session that ends leads to the login, and back to the same place', async () => {
    const place = await open();
    const page = await asAdmin(place, { refusals: true });
    await visit(page, 'runs');
    await page.context().clearCookies();
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('Your session is over. Log in again.').waitFor();
    await logIn(page);
    await page.locator('.nav a[href="#/runs"][aria-current="page"]').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  });
});

describe('in a real browser', () => {
  test('somebody logs in at an OpenID provider of another site, comes back to the same place, and has the role from there', async () => {
    const provider = await startProvider({
      ada: { preferred_username: 'ada', job_role: 'editor', job_groups: ['default'] },
    });
    const claims = { roleClaim: 'job_role', groupsClaim: 'job_groups', label: 'Example Inc.' };
    const auth = { kind: 'oidc', issuer: provider.issuer, ...CLIENT, ...claims } as const;
    const place = await openPlace('sqlite::memory:', {}, { auth });
    provider.allow(`${place.url}console/oidc/callback`);
    const page = await openPage(browser as Browser, place, '#/runs?state=failed', { also: provider.issuer });
    await page.getByRole('link', { name: 'Log in with Example Inc.' }).click();
    await page.getByLabel('Login').fill('ada');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
    expect(page.url()).toBe(`${place.url}#/runs?state=failed`);
    expect(await page.getByTestId('who').textContent()).toBe('ada');
    await visit(page, 'about');
    await page.getByText('ada: editor, default').waitFor();
    expect(await page.getByText('Change password').count()).toBe(0);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('link', { name: 'Log in with Example Inc.' }).click();
    // The provider has forgotten the browser too.
    await page.getByLabel('Login').waitFor();
  });

  test('users, tokens and the audit log are managed by clicking', async () => {
    const place = await openPlace('sqlite::memory:');
    const page = await asAdmin(place);
    await addUser(page, 'oscar', 'operator');
    await page.getByLabel('Role of oscar').selectOption('editor');
    await page.getByText('New token').click();
    const form = page.locator('details', { hasText: 'New token' });
    await form.getByLabel('Name').fill('deploy');
    await form.getByRole('button', { name: 'Add' }).click();
    const secret = await page.getByTestId('secret').textContent();
    const ask = () => fetch(`${place.url}admin/jobs`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await ask()).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke deploy' }).click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await page.locator('[data-token="deploy"]', { hasText: 'revoked' }).waitFor();
    expect((await ask()).status).toBe(401);
    await visit(page, 'audit');
    await page.locator('[data-audit="PATCH /console/users"]', { hasText: 'user oscar' }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain(secret);
  });

  test('a group is paused and resumed, and a calendar leaves times out of a schedule', async () => {
    const place = await openPlace('sqlite::memory:');
    const job = await place.ring.jobs.add({ name: 'a job', handler: 'echo', schedule: { kind: 'none' } });
    const page = await asAdmin(place, { refusals: true });
    await visit(page, 'executors');
    await page.locator('[data-executor]').waitFor();
    await page.getByRole('button', { name: 'Pause default' }).click();
    await page.locator('[data-group="default"]', { hasText: 'paused' }).waitFor();
    const run = await place.ring.jobs.trigger(job.id);
    await visit(page, 'runs');
    await page.locator('[data-state="pending"]', { hasText: 'the group is paused' }).waitFor();
    await visit(page, 'executors');
    await page.getByRole('button', { name: 'Resume default' }).click();
    expect((await place.ring.runs.wait(run.id, { timeoutMs: 60_000 })).state).toBe('succeeded');

    await visit(page, 'calendars');
    await page.getByLabel('Name').fill('weekends');
    await page.getByLabel(/^Definition/).fill('{ "weekdays": [0, 9] }');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel(/^Definition/).fill('{ "weekdays": [0, 6] }');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-calendar="weekends"]').waitFor();
    await page.evaluate(`location.hash = '#/jobs/new'`);
    await page.getByLabel('Name', { exact: true }).fill('workdays');
    await page.getByLabel('Handler', { exact: true }).fill('echo');
    await page.getByLabel(/^Except the times/).fill('weekends');
    const weekdays = async () => {
      const rows = await page.locator('.next-times tbody td:first-child').allTextContents();
      return rows.length > 0 && rows.every((text) => ![0, 6].includes(new Date(text.split(',')[0]!).getDay()));
    };
    await expect.poll(weekdays).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'workdays' }).waitFor();
    await visit(page, 'calendars');
    await page.getByRole('button', { name: 'Remove weekends' }).click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await page.getByRole('alert').filter({ hasText: 'weekends' }).waitFor();
  });

  test('an XXL-JOB dump is tried first and then imported; jobs go out and in as JSON', async () => {
    const place = await openPlace('sqlite::memory:');
    const page = await asAdmin(place);
    await visit(page, 'transfer');
    const dump = [
      {
        id: 7,
        jobGroup: 1,
        jobDesc: 'from xxl',
        scheduleType: 'CRON',
        scheduleConf: '0 0 1 * * ?',
        executorHandler: 'echo',
        glueType: 'BEAN',
        triggerStatus: 0,
      },
    ];
    const panel = page.locator('.panel', { hasText: 'Import from XXL-JOB' });
    await panel.getByLabel('Text').fill(JSON.stringify(dump));
    await panel.getByRole('button', { name: 'Import' }).click();
    await panel.getByText('Imported: 1').waitFor();
    expect((await place.ring.jobs.list()).jobs).toEqual([]);
    await panel.getByLabel('Time zone of the old server').fill('Asia/Shanghai');
    await panel.getByLabel('Try it without changing anything').uncheck();
    await panel.getByRole('button', { name: 'Import' }).click();
    await expect.poll(async () => (await place.ring.jobs.list()).jobs.map(({ name }) => name)).toEqual(['from xxl']);
    expect((await place.ring.jobs.list()).jobs[0]!.schedule).toMatchObject({ zone: 'Asia/Shanghai' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all jobs as JSON' }).click(),
    ]);
    const stream = await download.createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    const back = page.locator('.panel', { hasText: 'Import jobs from JSON' });
    await back.getByLabel('Text').fill(text);
    await back.getByRole('button', { name: 'Import' }).click();
    await back.getByText('Imported: 1').waitFor();
    expect((await place.ring.jobs.list()).jobs.length).toBe(2);
  });

  test('axe finds nothing of any weight, light and dark, and nothing is wider than a phone', async () => {
    const place = await openPlace('sqlite::memory:');
    const job = await place.ring.jobs.add({
      name: 'a job',
      handler: 'echo',
      schedule: { kind: 'fix-rate', everyMs: 3_600_000 },
      labels: { team: 'a' },
    });
    const run = await place.ring.jobs.trigger(job.id);
    const page = await asAdmin(place);
    const paths = [
      '',
      'jobs',
      'jobs/new',
      `jobs/${job.id}`,
      'runs',
      `runs/${run.id}`,
      'flows',
      'flows/new',
      'executors',
      'calendars',
      'alerts',
      'transfer',
      'users',
      'audit',
      'about',
    ];
    const found: string[] = [];
    for (const theme of ['light', 'dark']) {
      await page.getByLabel('Theme').selectOption(theme);
      for (const path of paths) {
        await page.evaluate(`location.hash = '#/${path}'`);
        await settled(page);
        for (const finding of await axeFindings(page, everything)) found.push(`${theme} #/${path}: ${finding}`);
      }
      if (theme === 'dark') await picture(page, 'dark');
    }
    expect(found).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of paths) {
      await page.evaluate(`location.hash = '#/${path}'`);
      await settled(page);
      const tooWide = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect({ path, tooWide }).toEqual({ path, tooWide: 0 });
    }
    await page.evaluate(`location.hash = '#/jobs/${job.id}'`);
    await settled(page);
    await picture(page, 'phone');
  });

  test('a server that restarts is waited for, and the page goes on by itself', async () => {
    const place = await openPlace('sqlite::memory:');
    const page = await asAdmin(place, { refusals: true });
    await visit(page, 'jobs');
    const comeBack = await place.vanish();
    await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
    await place.ring.jobs.add({ name: 'made meanwhile', handler: 'echo', schedule: { kind: 'none' } });
    await comeBack();
    await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
    await page.locator('[data-job="made meanwhile"]').waitFor();
  });

  test('a session that somebody planted in the browser is worth nothing after the login', async () => {
    const place = await openPlace('sqlite::memory:');
    const page = await openPage(browser as Browser, place, place.invitation);
    const planted = { name: 'horae_session', value: 'planted-by-mallory', url: place.url };
    await page.context().addCookies([planted]);
    await logIn(page);
    const cookies = await page.context().cookies(place.url);
    expect(cookies.filter(({ name }) => name === 'horae_session')).toMatchObject([
      { httpOnly: true, sameSite: 'Strict' },
    ]);
    expect(cookies.map(({ value }) => value)).not.toContain(planted.value);
    const ask = (cookie: string) => fetch(`${place.url}admin/jobs`, { headers: { cookie } });
    expect((await ask(`horae_session=${planted.value}`)).status).toBe(401);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('a page of another origin can neither change anything nor show the console in a frame', async () => {
    const place = await openPlace('sqlite::memory:');
    const admin = await asAdmin(place);
    const target = `${place.url}admin/jobs`;
    const body = JSON.stringify({ name: 'planted', handler: 'echo', schedule: { kind: 'none' } });
    const evil = await openOtherOrigin(`<iframe src="${place.url}"></iframe>
      <form method="post" enctype="text/plain" action="${target}"><input name='${body.slice(0, -1)},"x":"' value='"}'></form>`);
    const page = await admin.context().newPage();
    await page.goto(evil);
    expect(page.frames().map((frame) => frame.url())).toEqual([`${evil}/`, expect.stringMatching(/^chrome-error:/)]);
    // What comes back of this nobody may read; whether it did anything is seen in the jobs.
    await page.evaluate(
      `fetch(${JSON.stringify(target)}, { method: 'POST', mode: 'no-cors', credentials: 'include', body: ${JSON.stringify(body)} }).catch(() => {})`,
    );
    await page.evaluate('document.forms[0].submit()');
    await page.waitForURL(target);
    // The cookie came along, since a port is no other site: it is the origin that is refused.
    expect(await page.locator('body').textContent()).toContain('foreign-site');
    expect((await place.ring.jobs.list()).jobs).toEqual([]);
  });

  test('German and Chinese are chosen, kept, and say the cron expression too', async () => {
    const place = await openPlace('sqlite::memory:');
    const page = await asAdmin(place);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('link', { name: 'Läufe', exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Läufe', level: 1 }).waitFor();
    await page.evaluate(`location.hash = '#/jobs/new'`);
    await page.getByText('Die nächsten zehn Zeiten').waitFor();
    expect(await page.locator('.cron-words').textContent()).toMatch(/09:00/);
    await picture(page, 'german');
    await page.getByLabel('Sprache').selectOption('zh');
    await page.getByText('接下来十次').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh');
    await picture(page, 'chinese');
  });
});
