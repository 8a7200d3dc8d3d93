import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Impact = 'minor' | 'moderate' | 'serious' | 'critical';

interface AxeViolation {
  readonly id: string;
  readonly impact: Impact | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** The findings of axe on the page as it is, of these weights. */
export async function axeFindings(page: Page, weights: readonly Impact[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = (await page.evaluate('axe.run(document).then((result) => result.violations)')) as AxeViolation[];
  return violations
    .filter(({ impact }) => impact === null || weights.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
