import { test } from 'vitest';
import { picture, type Stage } from '../stage/stage.js';

export function rewritesStory(stage: Stage): void {
  test('a rewrite is refused with the blocking key, and a receipt that was tampered with is found out', async () => {
    const page = await stage.open(await stage.demo(), '#/rewrites');
    const row = page.locator('[data-rewrite="print tides"]');
    await row.getByText('admitted').waitFor();
    await page.getByRole('button', { name: 'print tides, crane: none' }).click();
    await page.getByRole('button', { name: 'print tides, crane: read' }).click();
    await row.getByText('refused').waitFor();
    await row.getByText(/crane is held by move crane \(write-write\)/).waitFor();

    await page.getByRole('button', { name: 'First', exact: true }).click();
    await row.getByText('not decided yet').waitFor();
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await page.locator('[data-rewrite="move crane"]').getByText('admitted').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await row.getByText('refused').waitFor();

    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Every decision follows from the footprints.').waitFor();
    await picture(page, 'rewrites', 9_000);
    await page.getByRole('button', { name: 'Tamper, then verify' }).click();
    await page.getByText('Every decision follows from the footprints.').waitFor({ state: 'detached' });
    await page.locator('.message-bad').waitFor();
  });

  test('a document edited on more threads has the digest of one thread', async () => {
    const page = await stage.open(await stage.demo(), '#/rewrites');
    const panel = page.getByRole('region', { name: 'Collaborative document' });
    for (const [at, name] of ['One thread', 'Two workers'].entries()) {
      await panel.getByRole('button', { name }).click();
      await panel.locator('code').nth(at).waitFor();
    }
    await panel
      .getByText(/ waits for /)
      .first()
      .waitFor();
    const [two, one] = await panel.locator('code').allTextContents();
    if (two === undefined || !/^[0-9a-f]{64}$/.test(two) || two !== one) throw new Error(`digests: ${two}, ${one}`);
  });
}
