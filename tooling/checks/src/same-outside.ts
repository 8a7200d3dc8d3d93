import { registryFields } from '@horae-tooling/tsup/registry-fields';
import { error, type Finding, type WorkspacePackage } from './workspace.js';

const fields: Readonly<Record<string, unknown>> = {
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.19' },
};

/** The files of every tarball; a package that ships example scenarios adds `examples`. */
const packed = ['dist', 'README.md', 'CHANGELOG.md', 'LICENSE'];

const wantedFiles = ['README.md', 'LICENSE', 'tsconfig.json', 'tsup.config.ts', 'src/index.ts'];

/**
 * All published packages look alike: the same manifest fields, files and scripts. `changesets` are the texts of the pending changesets: a
 * package that was never released must be named by one.
 */
export function sameOutside(
  packages: readonly WorkspacePackage[],
  changesets: readonly string[],
  rootManifest: Parameters<typeof registryFields>[0],
): Finding[] {
  return packages
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap((pkg) => {
      const { manifest, folder, files } = pkg;
      const inManifest = (message: string) => error(`${folder}/package.json`, message);
      const findings = wantedFiles
        .filter((name) => !files.includes(name))
        .map((name) => error(`${folder}/${name}`, 'is missing'));
      for (const [field, wanted] of Object.entries(fields)) {
        if (JSON.stringify(manifest[field]) !== JSON.stringify(wanted))
          findings.push(inManifest(`"${field}" must be ${JSON.stringify(wanted)}`));
      }
      for (const [field, wanted] of Object.entries(registryFields(rootManifest, folder))) {
        if (JSON.stringify(manifest[field]) !== JSON.stringify(wanted))
          findings.push(inManifest(`"${field}" does not follow from the root's manifest: run "pnpm manifests"`));
      }
      if (!Array.isArray(manifest.keywords) || manifest.keywords.length < 3)
        findings.push(inManifest('"keywords" must name at least three words that people search for'));
      const shipped = ((manifest.files ?? []) as string[]).filter((name) => name !== 'examples');
      if (JSON.stringify(shipped) !== JSON.stringify(packed))
        findings.push(inManifest(`"files" must be ${JSON.stringify(packed)}`));
      if (typeof manifest.description !== 'string' || manifest.description === '')
        findings.push(inManifest('"description" is missing'));
      const scripts = (manifest.scripts ?? {}) as Record<string, string>;
      if (scripts.build !== 'tsup') findings.push(inManifest('scripts.build must be "tsup"'));
      if (scripts.typecheck !== 'tsc -p tsconfig.json')
        findings.push(inManifest('scripts.typecheck must be "tsc -p tsconfig.json"'));
      if (manifest.exports?.['./package.json'] !== './package.json')
        findings.push(inManifest('exports["./package.json"] is missing'));
      const named = changesets.some(
        (text) => text.includes(`'${manifest.name}'`) || text.includes(`"${manifest.name}"`),
      );
      if (!files.includes('CHANGELOG.md') && !named)
        findings.push(error(folder, 'has neither a CHANGELOG.md nor a changeset: run "pnpm changeset"'));
      return findings;
    });
}
