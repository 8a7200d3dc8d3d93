import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Hono } from 'hono';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Buffer | null;
}

/** Serves the built page from memory. Only the files of its own list exist, so no path can lead outside. */
export async function servePage(app: Hono, folder: string): Promise<void> {
  const files = new Map<string, PageFile>();
  for (const name of await readdir(folder, { recursive: true })) {
    const type = types[extname(name)];
    if (type !== undefined) files.set(`/${name.replaceAll('\\', '/')}`, await readPageFile(join(folder, name), type));
  }
  app.get('*', (context) => {
    const path = context.req.path === '/' ? '/index.html' : context.req.path;
    const file = files.get(path);
    if (file === undefined) return context.json({ error: { code: 'not-found', message: `There is no ${path}.` } }, 404);
    const isPacked = file.packed !== null && /\bbr\b/.test(context.req.header('accept-encoding') ?? '');
    context.header('content-type', file.type);
    context.header('vary', 'accept-encoding');
    // Names under assets/ carry a hash of their content; the document itself is requested anew each time.
    context.header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (isPacked) context.header('content-encoding', 'br');
    return context.body(new Uint8Array(isPacked ? file.packed! : file.plain));
  });
}

async function readPageFile(path: string, type: string): Promise<PageFile> {
  const plain = await readFile(path);
  const packed = extname(path) === '.woff2' ? null : pack(plain);
  return { type, plain, packed };
}

function pack(plain: Buffer): Buffer {
  return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
}

/** Whether the page has been built. */
export function pageIsBuilt(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'index.html')).length > 0;
  } catch {
    return false;
  }
}
