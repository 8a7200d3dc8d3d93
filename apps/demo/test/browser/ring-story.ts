import { expect, test } from 'vitest';
import { picture, type Stage } from '../stage/stage.js';

export function ringStory(stage: Stage): void {
  test('a job is added, its words are only words, and it is moved by a misfire', async () => {
    const page = await stage.open(await stage.demo(), '#/ring');
    const hostile = '<img src=x onerror=alert(1)>';
    await page.getByText('Add a job').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('echo of mine');
    await page.getByLabel('Does').selectOption('echo');
    await page.getByLabel('Expression').fill('*/2 * * *');
    await page.getByRole('button', { name: 'Add the job' }).click();
    await page.getByRole('alert').waitFor();
    // A crontab's text is taken as such, and refused where Quartz is chosen.
    await page.getByLabel('Expression').fill('*/5 9-17 * * mon-fri');
    await page.getByRole('button', { name: 'Add the job' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Dialect').selectOption('vixie');
    await page.getByRole('textbox', { name: 'Name' }).fill('crontab of mine');
    await page.getByRole('button', { name: 'Add the job' }).click();
    await page.locator('[data-job="crontab of mine"]').getByText('*/5 9-17 * * mon-fri (vixie)').waitFor();

    await page.getByRole('textbox', { name: 'Name' }).fill('echo of mine');
    await page.getByLabel('Dialect').selectOption('quartz');
    await page.getByLabel('Expression').fill('0/2 * * * * ?');
    await page.getByLabel('Parameters, any text').fill(hostile);
    await page.getByRole('button', { name: 'Add the job' }).click();
    await page.locator('[data-job="echo of mine"]').getByText('started').waitFor();

    const run = page.locator('[data-run][data-state="succeeded"]', { hasText: 'echo of mine' }).first();
    await run.getByText(hostile).waitFor();
    await run.getByRole('button', { name: /Log of run/ }).click();
    await page.getByRole('log').getByText(hostile).waitFor();
    expect(await page.locator('main img').count()).toBe(0);

    await page.getByRole('button', { name: 'Rest for 14 s' }).click();
    await page.getByText('This node rests.').waitFor();
    await page.locator('[data-run]', { hasText: 'echo of mine misfire' }).first().waitFor();
  });

  test('the console beside the page knows the visitor, shows the same ring and outlives a rest of its node', async () => {
    const page = await stage.open(await stage.demo(), '#/ring');
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
    expect(await page.getByTestId('who').textContent()).toBe('visitor');
    expect(await page.getByRole('link', { name: 'Users and tokens' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('button', { name: 'Trigger inspect a ship' }).click();
    await page.getByText(/Run \d+ is on its way/).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('button', { name: 'Rest for 14 s' }).click();
    await page.getByText('This node rests.').waitFor();
    await page.getByText('This node rests.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.locator('[data-run]', { hasText: 'inspect a ship' }).first().waitFor();
  });

  test('a job is triggered and its run is killed', async () => {
    const page = await stage.open(await stage.demo(), '#/ring');
    await picture(page, 'ring', 30_000);
    await page.getByRole('button', { name: 'Trigger inspect a ship' }).click();
    const running = page.locator('[data-run][data-state="running"]', { hasText: 'inspect a ship manual' });
    await running.waitFor();
    await running.getByRole('button', { name: /Kill run/ }).click();
    await page.locator('[data-run][data-state="killed"]', { hasText: 'inspect a ship manual' }).waitFor();
  });

  test('a second node joins, takes part, and is killed; executors come and go', async () => {
    const page = await stage.open(await stage.demo(), '#/ring');
    await page.getByRole('button', { name: 'Add a node' }).click();
    const node = page.locator('[data-node="node-2"]');
    await node.getByText('ok').waitFor();
    await page.locator('[data-run]', { hasText: 'node-2/quay' }).first().waitFor();
    await node.getByRole('button', { name: 'Kill node-2' }).click();
    await node.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Send away node-\w+\/quay-3/ }).click();
    await page.getByRole('button', { name: /Send away node-\w+\/quay-3/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: /Send away node-\w+\/quay-4/ }).waitFor();
  });
}
