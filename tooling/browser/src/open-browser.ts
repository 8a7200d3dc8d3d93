import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--font-render-hinting=none',
];

/** A real browser, or the reason why there is none here. */
export async function openBrowser(): Promise<Browser | { reason: string }> {
  const own = process.env.CHROMIUM_PATH;
  if (own !== undefined) {
    if (!existsSync(own)) throw new Error(`CHROMIUM_PATH names ${own}, which does not exist`);
    return chromium.launch({ executablePath: own, args });
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { reason: `no browser comes with npm for ${process.platform} ${process.arch}; CHROMIUM_PATH may name one` };
  return openPacked();
}

/**
 * The browser that comes with npm. It unpacks itself into the folder for temporary files and starts what another process may still be
 * unpacking there, so each process assigns it a folder of its own.
 */
async function openPacked(): Promise<Browser> {
  const { default: packed } = await import('@sparticuz/chromium');
  const folder = mkdtempSync(join(tmpdir(), 'horae-browser-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    // Not with the package's own arguments: they are for one page in one process.
    const browser = await chromium.launch({ executablePath: await packed.executablePath(), args });
    browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
    return browser;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
