import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPoints, root } from './entry-points.js';
import { optionTables, renderOptions } from './option-tables.js';
import { readSources, withoutSentence } from './read-sources.js';

// `pnpm run docs`: a site with every public name and a table of options for every function that takes some, in a folder that git ignores.
const folder = join(root, 'docs/reference');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = entryPoints();
const tables = optionTables(files);
const options = join(folder, 'options.md');
writeFileSync(options, renderOptions(tables));
const { application, project } = await readSources(files, { pages: [options] });
await application.generateDocs(project, folder);
console.log(
  `[horae] ${files.size} modules and the options of ${tables.length} functions are in docs/reference/index.html.`,
);
const missing = withoutSentence(project);
if (missing.length > 0) {
  console.error(`[horae] Without a sentence:\n  ${missing.join('\n  ')}`);
  process.exit(1);
}
