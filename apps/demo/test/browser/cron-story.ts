import { expect, test } from 'vitest';
import { picture, type Stage } from '../stage/stage.js';

export function cronStory(stage: Stage): void {
  test('a wrong cron expression is fixed by its suggestion', async () => {
    const page = await stage.open(await stage.demo(), '#/cron');
    await page.getByRole('textbox', { name: 'Expression' }).fill('*/15 9-17 * * mon-fri');
    await page.locator('.cron-echo mark', { hasText: '*/15' }).waitFor();
    await page.getByText('The minute field must not use step syntax').waitFor();
    await page.getByRole('button', { name: 'Use 0,15,30,45 9-17 * * 1-5' }).click();
    await page.locator('.cron-words', { hasText: 'Monday to Friday' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Expression' }).inputValue()).toBe('0,15,30,45 9-17 * * 1-5');
    expect(await page.locator('.run-list').first().locator('li').count()).toBe(8);
  });

  test('the same text is right as a line of a crontab', async () => {
    const page = await stage.open(await stage.demo(), '#/cron');
    await page.getByRole('textbox', { name: 'Expression' }).fill('*/15 9-17 * * mon-fri');
    await page.getByText('The minute field must not use step syntax').waitFor();
    await page.getByLabel('Dialect').selectOption('vixie');
    await page.locator('.cron-words', { hasText: 'Every 15 minutes from 09:00 to 17:45' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Expression' }).inputValue()).toBe('*/15 9-17 * * mon-fri');
  });

  test('the cron lab shows the two odd days of a zone, and where two expressions meet', async () => {
    const page = await stage.open(await stage.demo(), '#/cron');
    await page.getByRole('textbox', { name: 'Expression' }).fill('30 2 * * *');
    await page.getByLabel('Overlap with').fill('30 2 1,15 * *');
    await page.getByLabel('Zone').selectOption('Europe/Berlin');
    await page.getByText('an hour is skipped').waitFor();
    await page.getByText('No run on this day; 1 on the day before.').waitFor();
    await page.getByText('02:30 +02:00').waitFor();
    await page.getByText('02:30 +01:00').waitFor();
    await page.getByText(/They meet \d+ times/).waitFor();
    await picture(page, 'cron');
    await page.getByLabel('Zone').selectOption('UTC');
    await page.getByText(/No clock change in \d+ here/).waitFor();
  });

  test('the cron lab is used with the keyboard alone', async () => {
    const page = await stage.open(await stage.demo(), '#/');
    const focused = () =>
      page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""');
    const tabTo = async (wanted: (text: string) => boolean | Promise<boolean>) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        if (await wanted(String(await focused()))) return;
      }
      throw new Error(`The keyboard did not get there; it stands on "${await focused()}"`);
    };
    await tabTo((text) => text.trim() === 'Cron lab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Cron lab' }).waitFor();
    await tabTo(() => page.evaluate('document.activeElement?.classList.contains("cron-input")'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('@daily');
    await page.getByRole('button', { name: 'Use 0 0 * * *' }).waitFor();
    await tabTo((text) => text.startsWith('Use 0 0'));
    await page.keyboard.press('Enter');
    await page.locator('.cron-words', { hasText: 'At 00:00' }).waitFor();
  });
}
