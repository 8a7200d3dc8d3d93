import { join } from 'node:path';
import { bringUp, root, say } from './bring-up.mjs';
import { runCommand } from './run-command.mjs';

// `npm start`: from a fresh clone to something alive on an embedded SQLite file.
await bringUp();
const demo = join(root, 'apps/demo/dist/server.js');
say('Starting; Ctrl-C ends it.');
// The terminal sends the interrupt to the child as well; this process only waits for its end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
const { code } = await runCommand(process.execPath, [demo, ...process.argv.slice(2)], { cwd: root });
process.exit(code);
