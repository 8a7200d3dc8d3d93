import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { entryFields } from './entry-points.mjs';
import { registryFields } from './registry-fields.mjs';

// `pnpm manifests`: writes into every published package what follows from elsewhere. To add a subpath, add `"./name": {}` to the
// exports map and run it; to move the project, change `repository`, `homepage` and `bugs` of the root.
const ENTRY_FIELDS = ['main', 'module', 'types', 'typesVersions', 'exports'];
const rootManifest = read('package.json');

for (const folder of readdirSync('packages').map((name) => `packages/${name}`)) {
  const manifest = read(`${folder}/package.json`);
  if (manifest.private === true) continue;
  const registry = registryFields(rootManifest, folder);
  const result = {};
  for (const [name, value] of Object.entries(manifest)) {
    if (name === 'exports') Object.assign(result, entryFields(manifest));
    else if (!(name in registry) && !ENTRY_FIELDS.includes(name)) result[name] = value;
    // After the licence stands what the registry's page shows.
    if (name === 'license') Object.assign(result, registry);
  }
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(result, null, 2)}\n`);
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
