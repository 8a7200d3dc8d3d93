import { join, relative } from 'node:path';
import { Application, type DeclarationReflection, type ProjectReflection, ReflectionKind } from 'typedoc';
import { entryPoints, root } from './entry-points.js';

/** TypeDoc's model of the given files, or of every published package; `pages` in Markdown go into the site as they are. */
export async function readSources(
  files: ReadonlyMap<string, string> = entryPoints(),
  { tsconfig = join(root, 'tooling/reference/sources.json'), pages = [] }: { tsconfig?: string; pages?: string[] } = {},
): Promise<{ application: Application; project: ProjectReflection }> {
  const application = await Application.bootstrapWithPlugins({
    entryPoints: [...files.values()],
    tsconfig,
    name: 'Horae',
    readme: 'none',
    projectDocuments: pages,
    cleanOutputDir: false,
    // The gate checks types on its own.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    logLevel: 'Error',
  });
  const project = await application.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the sources');
  // TypeDoc names modules by their paths; readers know them by their addresses.
  const addresses = new Map([...files].map(([address, file]) => [moduleName(file), address]));
  for (const module of modulesOf(project)) module.name = addresses.get(module.name) ?? module.name;
  return { application, project };
}

function moduleName(file: string): string {
  return relative(join(root, 'packages'), file)
    .replaceAll('\\', '/')
    .replace(/(\/index)?\.ts$/, '');
}

/** The public names without a sentence, as `address: name`. A name that several addresses export is listed once. */
export function withoutSentence(project: ProjectReflection): string[] {
  return modulesOf(project).flatMap((module) =>
    (module.children ?? [])
      .filter((name) => name.kind !== ReflectionKind.Reference && !hasSentence(name))
      .map(({ name }) => `${module.name}: ${name}`),
  );
}

function hasSentence(name: DeclarationReflection): boolean {
  const comments = [name.comment, ...(name.signatures ?? []).map(({ comment }) => comment)];
  return comments.some((comment) => (comment?.summary ?? []).some(({ text }) => /\w/.test(text)));
}

/** One module per address. A project of one file is that module itself. */
export function modulesOf(project: ProjectReflection): readonly (DeclarationReflection | ProjectReflection)[] {
  const modules = (project.children ?? []).filter(({ kind }) => kind === ReflectionKind.Module);
  return modules.length === 0 ? [project] : modules;
}
