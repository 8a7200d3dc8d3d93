import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstClicks } from '../wire/first-clicks.js';
import { BadOption, type DemoOptions, helpText, readOptions } from './demo-options.js';
import { pageIsBuilt } from './http/page-files.js';
import { startDemo } from './start-demo.js';

// What `npm start` runs: every engine on one database file, and the page that shows them.
const options = optionsOrEnd();
const pageFolder = join(dirname(fileURLToPath(import.meta.url)), 'page');
if (!pageIsBuilt(pageFolder)) end('The page is not built. Run "npm start" at the root, or "pnpm build" here.', 1);

const demo = await startDemo(options, pageFolder, (error) => console.error('[horae]', error)).catch((error: unknown) =>
  end(error instanceof Error ? error.message : String(error), 1),
);
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    // A second signal ends the process at once.
    if (isEnding) process.exit(1);
    isEnding = true;
    await demo.stop();
    console.log('[horae] Stopped; everything is recorded.');
    process.exit(0);
  });
}

if (options.port !== 0 && demo.port !== options.port)
  console.log(`[horae] Port ${options.port} is busy; ${demo.port} is taken instead.`);
if (demo.role === 'standby')
  console.log(
    `[horae] Another process runs the tasks of ${options.database}; this one is a further node and takes over when that one ends. ` +
      'For a world of its own give it another file: npm start -- --database other.db',
  );
if (options.token !== null)
  console.log('[horae] Open it once with ?token=… and the token you gave; the browser remembers it.');
console.log(`[horae] Horae is at ${demo.address} and keeps what happens in ${options.database}. Ctrl-C ends it.`);
console.log('[horae] Open it and click first:');
for (const [index, { title, what }] of firstClicks.entries()) console.log(`[horae]   ${index + 1}. ${title}: ${what}`);

function optionsOrEnd(): DemoOptions {
  try {
    const read = readOptions(process.argv.slice(2));
    return read === 'help' ? end(helpText, 0) : read;
  } catch (error) {
    if (error instanceof BadOption) return end(`${error.message}\n\n${helpText}`, 2);
    throw error;
  }
}

function end(message: string, code: number): never {
  (code === 0 ? console.log : console.error)(message);
  process.exit(code);
}
