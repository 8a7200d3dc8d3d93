import { startTestPostgres } from '@horae/clock-store/testing';
import { openBrowser } from '@horae-tooling/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startConsoleNode } from '../support/console-nodes.js';
import { logIn, openPage, visit } from './browser-stage.js';

let browser: Browser | { reason: string };
let server: Awaited<ReturnType<typeof startTestPostgres>>;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startTestPostgres()]);
});
afterAll(async () => {
  if ('close' in browser) await browser.close();
  await server.stop();
});
beforeEach(({ skip }) => {
  if ('reason' in browser) skip(browser.reason);
});

test('a page of one node follows a run and its log on the other, and shows that the other was lost', async () => {
  const database = await server.freshDatabase();
  const alpha = await startConsoleNode(database, 'alpha');
  const beta = await startConsoleNode(database, 'beta');
  const { invitation } = await alpha.heard('invitation');
  const page = await openPage(browser as Browser, alpha, invitation!);
  await logIn(page);
  await page.locator('[data-node="beta"]', { hasText: 'ok' }).waitFor();
  await page.getByRole('link', { name: '2 executors' }).waitFor();

  await page.evaluate(`location.hash = '#/jobs/new'`);
  await page.getByLabel('Name', { exact: true }).fill('dictation');
  await page.getByLabel('Handler', { exact: true }).fill('dictated');
  await page.getByLabel(/^When/).first().selectOption('none');
  await page.getByLabel('Group', { exact: true }).fill('beta');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Trigger dictation' }).click();
  const { runId } = await beta.heard('run-begun');
  await page.locator(`[data-run="${runId}"][data-state="running"] a`).click();
  for (const line of ['one', 'two', 'three']) {
    beta.say({ line });
    await page.getByRole('log').getByText(line, { exact: true }).waitFor();
  }
  beta.say({ end: true });
  await page.locator('.facts', { hasText: 'succeeded' }).waitFor();
  await page.getByRole('cell', { name: 'done at beta' }).waitFor();

  // The list hears of what another node starts by itself, without anybody asking.
  await visit(page, 'runs');
  beta.say({ trigger: 1 });
  const begun = (await beta.heard('triggered')).runId!;
  await page.locator(`[data-run="${begun}"][data-state="running"]`).waitFor();

  await visit(page, '');
  await page.locator('[data-node="beta"]', { hasText: 'ok' }).waitFor();
  await beta.kill();
  await page.locator('[data-node="beta"]', { hasText: 'gone' }).waitFor();
  await page.getByRole('link', { name: '1 executor' }).waitFor();
  await visit(page, 'executors');
  expect(await page.locator('[data-executor]').allTextContents()).toEqual([expect.stringContaining('alpha')]);
  await visit(page, 'runs');
  await page.locator(`[data-run="${begun}"]`, { hasNotText: 'running' }).waitFor();
});
