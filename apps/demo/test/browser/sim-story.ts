import { test } from 'vitest';
import { picture, type Stage } from '../stage/stage.js';

export function simStory(stage: Stage): void {
  test('a scenario is edited, interrupted, branched and compared', async () => {
    const page = await stage.open(await stage.demo(), '#/sim');
    const editor = page.getByLabel('Scenario, YAML');
    const text = await editor.inputValue();
    await editor.fill(text.replace('effort: high', 'effort: extreme'));
    await page.getByText('1 fault', { exact: true }).waitFor();
    await page.getByText(/expects one of low, medium, high, got "extreme"/).waitFor();
    await page.getByRole('button', { name: 'line 11' }).click();
    await editor.fill(text.replace('Ferry day', 'A day of mine'));
    await page.getByRole('heading', { name: 'A day of mine' }).waitFor();

    const chart = page.getByRole('region', { name: 'Chart of A day of mine' });
    await chart.getByRole('button', { name: /unload Borealis/ }).click();
    await page.getByText(/Waited \d+ min: unload Aurora had ramp/).waitFor();
    await page.getByLabel('Minute of the day').fill('75');
    await page.getByText('The world at this minute').waitFor();
    await page.getByRole('button', { name: 'Interrupt at 09:15', exact: true }).click();
    await page.getByText('unload Borealis stopped at 09:15', { exact: true }).waitFor();

    await page.getByLabel('Minute of the day').fill('55');
    await chart.getByRole('button', { name: /dock Castor/ }).click();
    await page.getByRole('button', { name: 'Branch: interrupt at 08:55' }).click();
    await page.getByText(/They part at minute 55/).waitFor();
    await page.getByRole('region', { name: 'Chart of the branch' }).waitFor();
    await picture(page, 'sim');
    await page.getByRole('button', { name: 'Stop the crane' }).click();
    await page.getByText('Whoever holds the crane rests').waitFor();
  });

  test('a page that asks before its stream has opened waits for the token instead of being refused', async () => {
    const page = await stage.open(await stage.demo(), '#/sim', { streamAfterMs: 1_500 });
    await page.getByRole('heading', { name: 'Ferry day' }).waitFor();
  });

  test('figures show how busy locks are and how long their queues, and many runs give intervals', async () => {
    const page = await stage.open(await stage.demo(), '#/sim');
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByRole('img', { name: 'Queue for tug' }).waitFor();
    await figures.getByRole('meter', { name: 'tug is busy' }).waitFor();
    await figures.getByRole('button', { name: 'Run it 100 times' }).click();
    await figures.getByText('locks.tug.utilisation', { exact: true }).waitFor();
    const editor = page.getByLabel('Scenario, YAML');
    const endless = '\narrivals: [{ verb: radio, every: { kind: fixed, value: 0.001 }, id: "call {n}" }]\n';
    await editor.fill((await editor.inputValue()) + endless);
    await page
      .getByText(/at most 5000 arrivals of one source in the demo/)
      .first()
      .waitFor();
  });
}
