import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { firstClicks } from '../../src/wire/first-clicks.js';
import { picture, type Stage, seriousFindings } from '../stage/stage.js';

const paths = ['', 'cron', 'tasks', 'ring', 'sim', 'rewrites', 'shifts'];

export function lookStory(stage: Stage): void {
  test('the overview shows all six engines alive within seconds', async () => {
    const page = await stage.open(await stage.demo(['--shift-ms', '1000']), '#/');
    for (const engine of ['cron', 'tasks', 'ring', 'sim', 'rewrites', 'shifts'])
      await page.locator(`.engine-card.hue-${engine} .engine-card-count`, { hasText: /[1-9]/ }).waitFor();
    await picture(page, 'overview', 58_000);
  });

  test('the overview says what to click first, and the buttons it names are there', async () => {
    const page = await stage.open(await stage.demo(), '#/');
    const steps = page.getByRole('region', { name: 'Click first' }).getByRole('listitem');
    expect(await steps.count()).toBe(firstClicks.length);
    for (const { page: path, what } of firstClicks) {
      await page.goto(`${page.url().split('#')[0]}#/${path}`);
      for (const name of what.match(/Trigger|Log|Add a node|Why\?|Pull the plug/g) ?? [])
        await page
          .getByRole('button', { name: name === 'Why?' ? /^Why does/ : new RegExp(`^${name}`) })
          .first()
          .waitFor();
    }
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious on any page, %s', async (colorScheme) => {
    const page = await stage.open(await stage.demo(), '#/', { colorScheme });
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(colorScheme);
    for (const path of paths) {
      await visit(page, path);
      expect({ path, findings: await seriousFindings(page) }).toEqual({ path, findings: [] });
    }
    if (colorScheme === 'dark') {
      await visit(page, 'ring');
      await picture(page, 'ring-dark', 25_000);
    }
  });

  test('nothing is wider than a phone', async () => {
    const page = await stage.open(await stage.demo(), '#/', { viewport: { width: 390, height: 844 }, hasTouch: true });
    for (const path of paths) {
      await visit(page, path);
      const tooWide = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect({ path, tooWide }).toEqual({ path, tooWide: 0 });
    }
    await visit(page, 'shifts');
    await picture(page, 'shifts-phone');
    await visit(page, 'cron');
    await page.getByRole('button', { name: '*/15 9-17 * * mon-fri' }).tap();
    await page.getByRole('button', { name: 'Use 0,15,30,45 9-17 * * 1-5' }).tap();
    await page.locator('.cron-words', { hasText: 'Monday to Friday' }).waitFor();
  });

  test('a theme is chosen and kept', async () => {
    const page = await stage.open(await stage.demo(), '#/', { colorScheme: 'light' });
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
}

/** Goes there by the navigation and waits until everything has arrived. */
async function visit(page: Page, path: string): Promise<void> {
  await page.locator(`.nav a[href="#/${path}"]`).click();
  await page.locator(`.nav a[href="#/${path}"][aria-current="page"]`).waitFor();
  await page.locator('main .panel').first().waitFor();
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
}
