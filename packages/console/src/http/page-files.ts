import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface PageFile {
  readonly type: string;
  readonly plain: Buffer<ArrayBuffer>;
  readonly packed: Buffer<ArrayBuffer> | null;
}

/** Returns a file of the page, or null. Only the files of its own list exist, so no path can lead outside. */
export type PageFiles = (path: string, request: Request) => Response | null;

/** Reads the built page into memory. */
export async function readPage(folder: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  for (const name of await readdir(folder, { recursive: true })) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const plain = Buffer.from(await readFile(join(folder, name)));
    files.set(`/${name.replaceAll('\\', '/')}`, {
      type,
      plain,
      packed: extname(name) === '.woff2' ? null : pack(plain),
    });
  }
  return (asked, request) => {
    const path = asked === '/' ? '/index.html' : asked;
    const file = files.get(path);
    if (file === undefined) return null;
    const isPacked = file.packed !== null && /\bbr\b/.test(request.headers.get('accept-encoding') ?? '');
    const headers: Record<string, string> = {
      'content-type': file.type,
      vary: 'accept-encoding',
      // Names under assets/ carry a hash of their content; the document itself is requested anew each time.
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isPacked ? { 'content-encoding': 'br' } : {}),
    };
    const body = isPacked ? file.packed! : file.plain;
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  };
}

function pack(plain: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }));
}
