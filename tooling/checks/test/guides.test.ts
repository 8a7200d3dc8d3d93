import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { afterAll, expect, test } from 'vitest';
import { type ExampleServer, examplesOf, programsOf } from '../src/readme-examples.js';
import { runProgram } from '../src/run-example.js';
import { root } from '../src/workspace.js';

/** What the guides' programs import is listed in the manifest of this folder. */
const home = 'tooling/guides';

const pages = ['docs', 'docs/guides']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((page) => page.endsWith('.md'))
  .map((page) => ({ page, examples: examplesOf(readFileSync(join(root, page), 'utf8')) }));
/** Pages that nobody learns from without a program. */
const guides = pages.filter(
  ({ page }) => page === 'docs/first-hour.md' || (page.startsWith('docs/guides/') && !page.endsWith('/README.md')),
);
const programs = pages.flatMap(({ page, examples }) =>
  programsOf(examples).map((program) => [`${page}:${program[0]!.line}`, page, program] as const),
);

const servers = new Map<ExampleServer, Promise<TestServer | 'unavailable'>>();
afterAll(async () => {
  for (const server of await Promise.all(servers.values())) if (server !== 'unavailable') await server.stop();
});

/** One server of each kind for all programs, started when the first needs it; each program gets a database of its own. */
async function freshDatabase(kind: ExampleServer): Promise<string | 'unavailable'> {
  if (!servers.has(kind)) servers.set(kind, kind === 'postgres' ? startTestPostgres() : startTestMariadb());
  const server = await servers.get(kind)!;
  return server === 'unavailable' ? server : server.freshDatabase();
}

// By array: the names of objects' fields are cut off in titles.
test.each(guides.map(({ page, examples }) => [page, examples] as const))(
  '%s shows a program that runs',
  (_, examples) => {
    expect(examples.some(({ runs }) => runs)).toBe(true);
  },
);

test.for(programs)('%s does what it promises', async ([, page, program], context) => {
  const { server } = program[0]!;
  const url = server === null ? null : await freshDatabase(server);
  if (url === 'unavailable') return context.skip('mariadbd is not on the PATH');
  const env: Record<string, string> = url === null ? {} : { DATABASE_URL: url };
  expect(await runProgram(program, { home, name: page.replace(/\W+/g, '-'), env })).toBeNull();
});
