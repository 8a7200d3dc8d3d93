import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { picture, type Stage } from '../stage/stage.js';

export function shiftsStory(stage: Stage): void {
  test('a shift is advanced, refused, rewound', async () => {
    const page = await stage.open(await stage.demo(['--shift-ms', '1500']), '#/shifts');
    await page.getByRole('switch', { name: 'Keepers do it' }).uncheck();
    const verdict = page.getByTestId('verdict');
    await page.getByLabel('Signed by').selectOption('');
    await page.getByRole('button', { name: 'Rewind' }).click();
    await verdict.getByText(/Refused: rewind/).waitFor();
    await verdict.getByText('active-root-link-reaches-previous').waitFor();
    await picture(page, 'shifts');

    const taken: string[] = [];
    while (taken.length < 12 && taken.at(-1) !== 'rewind') taken.push(await submitPlanned(page));
    expect(taken).toContain('advance');
    await verdict.getByText(/Accepted: rewind to/).waitFor();
  });

  test('an operator registers, waits, is let in, and finds its next shift', async () => {
    const page = await stage.open(await stage.demo(['--shift-ms', '1000']), '#/shifts');
    await page.getByLabel('A new operator').selectOption('Nymphe');
    await page.getByRole('button', { name: 'Register' }).click();
    await page
      .locator('.people li', { hasText: 'Nymphe' })
      .getByText(/may enter/)
      .waitFor();
    await page.getByLabel('When is the next shift of').selectOption('Nymphe');
    expect(await page.getByTestId('next-shift').textContent()).toMatch(/\d\d:\d\d:\d\d/);
  });
}

/** Submits the next legal step by hand, signed as it has to be; one that was overtaken is refused, and the next is tried. */
async function submitPlanned(page: Page): Promise<string> {
  const plan = page.getByTestId('plan').filter({ hasText: /, now, / });
  for (let tries = 0; tries < 20; tries++) {
    await plan.waitFor();
    const words = (await plan.textContent()) ?? '';
    const kind = words.startsWith('Rewind') ? 'Rewind' : 'Advance';
    await page.getByLabel('Signed by').selectOption(/signed by (\w+)\.$/.exec(words)?.[1] ?? '');
    const answer = page.waitForResponse(/shifts\/submit/);
    await page.getByRole('button', { name: kind }).click();
    if (((await (await answer).json()) as { accepted: boolean }).accepted) return kind.toLowerCase();
  }
  throw new Error('Twenty steps were refused');
}
