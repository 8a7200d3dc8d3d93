import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { picture, type Stage } from '../stage/stage.js';

export function tasksStory(stage: Stage): void {
  test('a task is made to fail, explained, and succeeds when it is tried again', async () => {
    const page = await stage.open(await stage.demo(), '#/tasks');
    const row = page.locator('[data-task="weather-radio"]');
    await row.getByRole('combobox').selectOption('fails');
    // Its next minute may be a whole one away.
    await row.getByText('will retry').waitFor({ timeout: 90_000 });
    await askWhileItWaits(page);
    await picture(page, 'tasks');
    await row.getByRole('combobox').selectOption('succeeds');
    // At the turn of a minute the task's own time comes first, and takes the retry's place.
    await page
      .getByLabel('Trace, newest first')
      .getByText(/weather-radio retry, attempt|TaskRetryPreempted/)
      .first()
      .waitFor();
    await row.getByText(/waiting/).waitFor();
    await row.getByText(/ago|now/).waitFor();
    await page.getByText(/legal: \d+ events, no rule broken/).waitFor();
  });

  test('a plug is pulled and a list declared: orphaned, overridden, preserved, new, forgotten', async () => {
    const page = await stage.open(await stage.demo(), '#/tasks');
    const origin = (name: string, word: string) =>
      page.locator(`[data-task="${name}"]`).getByText(word, { exact: true }).waitFor();
    await page.locator('[data-task="customs-sync"]').getByText('running').waitFor();
    // At the turn of a minute the short tasks run as well, and would be orphaned with the long one: they take a second or two of its 22.
    await page.waitForTimeout(4_000);
    await page.getByRole('button', { name: 'Pull the plug' }).click();
    await origin('customs-sync', 'orphaned');
    await origin('night-backup', 'preserved');

    await page.getByLabel('Cron of task 1').fill('*/5 * * * *');
    await page.getByRole('button', { name: 'Stop, declare, start again' }).click();
    await page
      .getByRole('alert')
      .getByText(/must not use step syntax/)
      .waitFor();

    // The same text is a crontab's, so the choice of the dialect makes it right.
    await page.getByLabel('Dialect of task 1').selectOption('vixie');
    await page.getByRole('button', { name: 'Remove night-backup' }).click();
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByRole('button', { name: 'Stop, declare, start again' }).click();
    await origin('tide-gauge', 'overridden');
    await origin('morning-digest', 'preserved');
    await origin('new-task-1', 'new');
    await page.getByText('No longer declared, therefore forgotten: night-backup.').waitFor();
    expect(await page.locator('[data-task="night-backup"]').count()).toBe(0);
    await page.getByText(/legal: \d+ events, no rule broken/).waitFor();
  });
}

/** Asks why the task does not run; a retry that begins between the look and the question is waited out. */
async function askWhileItWaits(page: Page): Promise<void> {
  const row = page.locator('[data-task="weather-radio"]');
  const explanation = page.getByTestId('explanation');
  for (let attempt = 1; ; attempt++) {
    await row.getByText(/retry in [2-9] s/).waitFor();
    await row.getByRole('button', { name: 'Why does weather-radio' }).click();
    try {
      await explanation
        .getByText(/weather-radio does not start at .*: its retry is due at/)
        .waitFor({ timeout: 4_000 });
      return;
    } catch (error) {
      if (attempt === 8) throw error;
    }
  }
}
