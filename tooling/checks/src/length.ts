import ts from 'typescript';
import { type Finding, isTest, type WorkspacePackage } from './workspace.js';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 70;

/** Files over 300 lines and functions over 70: places to look, never a failure. Tests are left out. */
export function length(packages: readonly WorkspacePackage[]): Finding[] {
  return packages.flatMap(({ folder, sources }) =>
    sources
      .filter(({ path }) => !isTest(path))
      .flatMap((source): Finding[] => {
        const file = `${folder}/${source.path}`;
        const lines = source.text.split('\n').length - 1;
        const long = longFunctions(source.path, source.text).map(
          ({ line, count, name }): Finding => ({
            severity: 'warning',
            file,
            line,
            message: `${name} has ${count} lines, the guide is ${MAX_FUNCTION_LINES}`,
          }),
        );
        if (lines > MAX_FILE_LINES)
          long.push({ severity: 'warning', file, message: `has ${lines} lines, the guide is ${MAX_FILE_LINES}` });
        return long;
      }),
  );
}

function longFunctions(path: string, text: string): { name: string; line: number; count: number }[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: { name: string; line: number; count: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      const last = tree.getLineAndCharacterOfPosition(node.end).line + 1;
      const count = last - first + 1;
      if (count > MAX_FUNCTION_LINES)
        found.push({ name: node.name?.getText(tree) ?? 'a function', line: first, count });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
