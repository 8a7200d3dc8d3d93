import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';

export const demo = defineCommand({
  name: 'horae demo',
  about: 'The demo: all six engines alive on one page',
  args: {
    database: {
      type: 'string',
      alias: 'd',
      description: 'Its SQLite file, chosen by the demo by default',
      valueHint: 'file',
    },
    port: {
      type: 'string',
      alias: 'p',
      description: "The page's port, chosen by the demo by default",
      valueHint: 'number',
    },
  },
  examples: [{ line: 'horae demo', does: 'in a checkout of the repository; prints the address of the page' }],
  notes: 'The demo is part of the repository, not of the package. HORAE_DEMO names a built server elsewhere.',
  async run(args) {
    const server = process.env.HORAE_DEMO ?? findServer([process.cwd(), dirname(fileURLToPath(import.meta.url))]);
    if (server === undefined || !existsSync(server)) {
      throw new CommandInputError(server === undefined ? 'the demo is not here' : `there is no demo at ${server}`, {
        hint: 'clone the repository and run "npm start" in it; it builds the demo and prints its address',
      });
    }
    return becomeServer(resolve(server), { port: args.port, database: args.database });
  },
});

/** The built server of the nearest workspace around one of the folders. */
function findServer(folders: readonly string[]): string | undefined {
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      const demo = join(folder, 'apps', 'demo');
      if (isDemo(demo)) return join(demo, 'dist', 'server.js');
      if (dirname(folder) === folder) break;
    }
  }
  return undefined;
}

/** Whether a folder is the demo, and not another app of that name. */
function isDemo(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name === '@horae/demo';
  } catch {
    return false;
  }
}

/**
 * The demo takes this process over, its signals included: it runs when it is loaded, and reads its options from the command line
 * that it finds.
 */
async function becomeServer(server: string, options: Readonly<Record<string, string | undefined>>): Promise<undefined> {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  process.argv.splice(1, process.argv.length, server, ...given);
  await import(pathToFileURL(server).href);
}
