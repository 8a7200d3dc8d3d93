import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const page = fileURLToPath(new URL('../../dist/page', import.meta.url));
const files = readdirSync(page, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));

test('the first load, fonts included, is below 250 kB compressed', () => {
  const bytes = files.map((name) => {
    const plain = readFileSync(join(page, name));
    return name.endsWith('.woff2') ? plain.length : gzipSync(plain).length;
  });
  const total = bytes.reduce((a, b) => a + b, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(250_000);
});

test('the page names no address off the machine and has no inline script or style', () => {
  const texts = files
    .filter((name) => /\.(html|js|css)$/.test(name))
    .map((name) => readFileSync(join(page, name), 'utf8'));
  const addresses = texts.flatMap((text) => text.match(/https?:\/\/[\w.-]+/g) ?? []);
  // Namespaces of XML are names, nothing is fetched from them.
  expect(addresses.filter((address) => !address.startsWith('http://www.w3.org'))).toEqual([]);
  const html = readFileSync(join(page, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
});
