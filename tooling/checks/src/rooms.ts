import { importsOf, resolveRelative } from './imports.js';
import { error, type Finding, isTest, type SourceFile, type WorkspacePackage } from './workspace.js';

/**
 * The folders of a package in the order of imports: a folder imports only folders to its left. Files at the top of `src/`
 * may import every room, and no room imports them. A room with rooms of its own has a line for its path, `src/engine`.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'packages/cron-grammar/src': ['value', 'calendar', 'parse', 'zone', 'exclusion', 'occurrence', 'analysis', 'words'],
  'packages/epoch-sim/src': [
    ...['interchange', 'tables', 'engine', 'epoch', 'snapshot', 'simulation', 'scenario', 'report', 'experiment'],
  ],
  'packages/horae/src/command': [
    ...['output', 'frame', 'arguments', 'documents', 'daemon'],
    ...['cron', 'tasks', 'ring', 'sim', 'rewrite', 'shift', 'demo', 'completion'],
  ],
  'packages/midgard-shift/src': [
    ...['state', 'cbor', 'rules', 'editions', 'verdict', 'plan'],
    ...['simulation', 'codec', 'ledger', 'chain', 'keeper', 'testing'],
  ],
  'packages/time-ring/src': [
    ...['model', 'routing', 'wheel', 'schedule', 'flow', 'store', 'testing', 'workbench', 'engine'],
    ...['client', 'wire', 'http', 'import', 'admin', 'server', 'remote-executor'],
  ],
  'packages/time-ring/src/engine': [
    'alerts',
    'node',
    'events',
    'flows',
    'record',
    'dispatch',
    'claim',
    'upkeep',
    'api',
  ],
  'packages/console/src/page': ['words', 'talk', 'parts', 'pages', 'shell'],
  'packages/console/src': ['wire', 'http', 'access', 'accounts', 'oidc', 'api', 'page'],
  'packages/declarative-scheduler/src': ['task', 'store', 'trace', 'base', 'session', 'scheduler', 'testing'],
  'packages/rewrite-reserve/src': [
    ...['keys', 'footprint', 'intern', 'reserve', 'waves', 'graph', 'receipt', 'check', 'optimistic'],
  ],
};

/** Every relative import of a laid-out folder goes to a room on the left, and every folder there has its place in the list. */
export function roomOrder(packages: readonly WorkspacePackage[], order = rooms): Finding[] {
  return packages.flatMap((pkg) =>
    Object.entries(order).flatMap(([laidOut, names]) => {
      const folder = folderWithin(laidOut, pkg);
      if (folder === undefined) return [];
      const files = pkg.sources.filter(({ path }) => path.startsWith(`${folder}/`));
      return [...strangers(pkg, folder, names, files), ...files.flatMap((file) => wrongWay(pkg, folder, names, file))];
    }),
  );
}

/** `packages/time-ring/src/engine` within the package `packages/time-ring` is `src/engine`. */
function folderWithin(laidOut: string, pkg: WorkspacePackage): string | undefined {
  return laidOut.startsWith(`${pkg.folder}/`) ? laidOut.slice(pkg.folder.length + 1) : undefined;
}

function strangers(
  pkg: WorkspacePackage,
  folder: string,
  names: readonly string[],
  files: readonly SourceFile[],
): Finding[] {
  const found = new Set(files.map(({ path }) => roomOf(folder, path)).filter((room) => room !== undefined));
  const unlisted = [...found].filter((room) => !names.includes(room));
  const missing = names.filter((room) => !found.has(room));
  return [
    ...unlisted.map((room) =>
      error(`${pkg.folder}/${folder}/${room}`, 'this folder has no place in tooling/checks/src/rooms.ts'),
    ),
    ...missing.map((room) =>
      error(`${pkg.folder}/${folder}/${room}`, 'tooling/checks/src/rooms.ts lists this folder, which does not exist'),
    ),
  ];
}

function wrongWay(pkg: WorkspacePackage, folder: string, names: readonly string[], file: SourceFile): Finding[] {
  const from = roomOf(folder, file.path);
  if (isTest(file.path) || from === undefined) return [];
  return importsOf(file).flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return [];
    const target = resolveRelative(file.path, specifier);
    // Imports outside this folder are judged by the line of the folder above.
    if (!target.startsWith(`${folder}/`)) return [];
    const to = roomOf(folder, target);
    if (to === from || (to !== undefined && names.indexOf(to) < names.indexOf(from))) return [];
    const where = to === undefined ? `the top of ${folder}/` : `${to}/`;
    return [error(`${pkg.folder}/${file.path}`, `${from}/ must not import ${where} ("${specifier}")`, line)];
  });
}

/** The room that a file stands in, undefined at the top of the folder. */
function roomOf(folder: string, path: string): string | undefined {
  const rest = path.slice(folder.length + 1).split('/');
  return rest.length > 1 ? rest[0] : undefined;
}
