import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createExecutor, type Handler, type RingOptions, startTimeRing, type TimeRing } from '@horae/time-ring';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Console, type ConsoleOptions, createConsole } from '../../src/index.js';
import { printedLines } from '../support/printed-lines.js';

export const PASSWORD = 'correct horse battery';

/** A ring with its console on a port of its own. */
export interface Place {
  readonly url: string;
  readonly ring: TimeRing;
  /** The address that was printed for the first admin. */
  readonly invitation: string;
  /** The port goes away, and with what this gives comes back. */
  vanish(): Promise<() => Promise<void>>;
}

/** A run of `hold` goes on until it is killed. */
const hold: Handler = ({ log, signal }) => {
  log('\u001b[32mholding\u001b[0m');
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
};

const handlers: Record<string, Handler> = {
  hold,
  echo: ({ params, log }) => {
    log(`\u001b[31mgiven\u001b[0m ${JSON.stringify(params)}`);
    return JSON.stringify(params);
  },
  refuse: async ({ params, progress }) => {
    progress(0.5, `half of ${String(params)}`);
    throw new Error(`refused: ${String(params)}`);
  },
  fail: () => {
    throw new Error('it cannot be done');
  },
};

export async function openPlace(
  database: string,
  options: Partial<RingOptions> = {},
  console: Partial<ConsoleOptions> = {},
): Promise<Place> {
  const { log, invitationLine } = printedLines();
  const ring = await startTimeRing({ database, log, zone: 'Europe/Berlin', ...options });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  await createExecutor({ ring, handlers });
  const panel = createConsole({ ring, title: 'Harbour', ...console });
  let server = await listen(panel, 0);
  const { port } = server.address() as AddressInfo;
  const vanish = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    return async () => {
      server = await listen(panel, port);
    };
  };
  onTestFinished(() => {
    panel.close();
    server.closeAllConnections();
    server.close();
  });
  await panel.hasUsers();
  const url = `http://127.0.0.1:${port}/`;
  if (console.auth !== undefined) return { url, ring, invitation: '', vanish };
  const invitation = /#\/first-admin\S+/.exec(await invitationLine())![0];
  return { url, ring, invitation, vanish };
}

async function listen(panel: Console, port: number): Promise<Server> {
  const server = createServer(panel.node);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

const desk = { width: 1360, height: 900 };

/** A page that fails the test at its end if it logged an error that nobody expected or asked for anything off the server. */
export async function openPage(
  browser: Browser,
  { url }: Pick<Place, 'url'>,
  path: string,
  { refusals = false, also, ...options }: BrowserContextOptions & { refusals?: boolean; also?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: desk, locale: 'en-GB', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isRefusal = refusals && /status of (4\d\d|502)|net::ERR_/.test(message.text());
    if (message.type() === 'error' && !isRefusal) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const isKnown = request.url().startsWith(url) || (also !== undefined && request.url().startsWith(also));
    if (!isKnown && !/^(data|blob):/.test(request.url())) complaints.push(`request off the machine: ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(`${url}${path}`);
  return page;
}

/** Fills in name and password and waits until the page is there. */
export async function logIn(page: Page, name = 'ada', password = PASSWORD): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
}

/** Goes to a page by the navigation and waits until everything has arrived. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.locator(`.nav a[href="#/${path}"]`).click();
  await page.locator(`.nav a[href="#/${path}"][aria-current="page"]`).waitFor();
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.locator('main .panel').first().waitFor();
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
}

const pictures = fileURLToPath(new URL('../../../../docs/screenshots/console', import.meta.url));

/** Makes a picture for the documentation when HORAE_SCREENSHOTS asks for it: no test needs it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.HORAE_SCREENSHOTS === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.evaluate('window.scrollTo(0, 0)');
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
