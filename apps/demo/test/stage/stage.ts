import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { axeFindings } from '@horae-tooling/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type DemoProcess, startDemoProcess } from './demo-process.js';

/** What every browser test stands on. */
export interface Stage {
  /** A server with a database of its own, ended with the test. */
  demo(args?: readonly string[]): Promise<DemoProcess>;
  /** A page that fails the test at its end if it logged an error or asked for anything off the server. */
  open(demo: DemoProcess, path: string, options?: BrowserContextOptions & OpenOptions): Promise<Page>;
}

interface OpenOptions {
  readonly mayLoseServer?: boolean;
  /** How long the page's stream of events takes to open. */
  readonly streamAfterMs?: number;
}

const desk = { width: 1360, height: 900 };

export function createStage(browser: () => Browser): Stage {
  return {
    async demo(args = []) {
      const demo = await startDemoProcess(['--port', '0', ...args]);
      onTestFinished(async () => void (await demo.end()));
      return demo;
    },
    async open(demo, path, { mayLoseServer = false, streamAfterMs = 0, ...options } = {}) {
      const context = await browser().newContext({
        viewport: desk,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(90_000);
      const complaints: string[] = [];
      page.on('console', (message) => {
        const isLost = mayLoseServer && /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|net::/.test(message.text());
        if (message.type() === 'error' && !isLost) complaints.push(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(demo.address) && !request.url().startsWith('data:'))
          complaints.push(`request off the machine: ${request.url()}`);
      });
      onTestFinished(async () => {
        await context.close();
        expect(complaints).toEqual([]);
      });
      if (streamAfterMs > 0)
        await page.route('**/api/events', async (route) => {
          await page.waitForTimeout(streamAfterMs);
          await route.continue();
        });
      await page.goto(`${demo.address}${path}`);
      await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
      return page;
    },
  };
}

/** What axe finds serious or critical on the page as it stands. */
export function seriousFindings(page: Page): Promise<string[]> {
  return axeFindings(page, ['serious', 'critical']);
}

const pictures = fileURLToPath(new URL('../../../../docs/screenshots', import.meta.url));

/** Makes a picture for the documentation when HORAE_SCREENSHOTS asks for it, after some time if more is to be seen then: no test needs it. */
export async function picture(page: Page, name: string, afterMs = 0): Promise<void> {
  if (process.env.HORAE_SCREENSHOTS === undefined) return;
  await page.waitForTimeout(afterMs);
  mkdirSync(pictures, { recursive: true });
  await page.evaluate('window.scrollTo(0, 0)');
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
