import { existsSync } from 'node:fs';
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
  const { default: packed } = await import('@sparticuz/chromium');
  // Not with the package's own arguments: they are for one page in one process.
  return chromium.launch({ executablePath: await packed.executablePath(), args });
}
