import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { bringUp, inWorkspace, say } from './bring-up.mjs';

// `npm run tarballs -- <folder>`: the packages as npm would publish them, to be installed from files.
const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('[horae] Name a folder for the tarballs: npm run tarballs -- ../tarballs');
  process.exit(2);
}
// npm runs scripts in the root; a person means the folder they are in.
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given);
await bringUp();
mkdirSync(folder, { recursive: true });
const ours = () => readdirSync(folder).filter((name) => /^horae-.*\.tgz$/.test(name));
for (const name of ours()) rmSync(join(folder, name));
const lines = [];
const { code } = await inWorkspace('pnpm', ['--filter', './packages/*', 'pack', '--pack-destination', folder], {
  onLine: (line) => lines.push(line),
});
if (code !== 0) {
  console.error(lines.slice(-40).join('\n'));
  process.exit(code);
}
const shown = relative(process.env.INIT_CWD ?? process.cwd(), folder) || '.';
say(`Packed ${ours().length} packages into ${shown}. Install those you need with what they stand on, such as`);
const names = ['clock-store', 'cron-grammar', 'time-ring'].map((name) => ours().find((file) => file.includes(name)));
say(`  npm install ${names.map((name) => join(folder, name)).join(' ')}`);
