import { expect, onTestFinished, test } from 'vitest';
import { startDemoProcess } from '../stage/demo-process.js';
import type { Stage } from '../stage/stage.js';

export function restartStory(stage: Stage): void {
  test('a page outlives its server: it says so, comes back by itself, and its buttons work again', async () => {
    const first = await stage.demo();
    const page = await stage.open(first, '#/tasks', { mayLoseServer: true });
    await page.locator('[data-task="tide-gauge"]').waitFor();
    expect(await first.end('SIGTERM')).toBe(0);
    await page.getByText('The server does not answer.').waitFor();
    await page.getByTestId('connection').filter({ hasText: 'reconnecting' }).waitFor();

    const second = await startDemoProcess(['--port', String(first.port)], first.database);
    onTestFinished(async () => void (await second.end()));
    expect(second.port).toBe(first.port);
    await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
    const row = page.locator('[data-task="morning-digest"]');
    await row.getByText('preserved').waitFor();
    // The second server has another token; the page has learnt it.
    const answer = page.waitForResponse(/tasks\/behaviour/);
    await row.getByRole('combobox').selectOption('fails');
    expect((await answer).status()).toBe(200);
  });
}
