import ts from 'typescript';
import { error, type Finding, isTest, type SourceFile, type WorkspacePackage } from './workspace.js';

const timers = new Set(['setTimeout', 'setInterval', 'setImmediate']);
const members = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'process.hrtime',
  'crypto.randomUUID',
  'crypto.randomBytes',
  'crypto.randomInt',
  'crypto.getRandomValues',
]);
const randomNames = new Set(['randomUUID', 'randomBytes', 'randomInt']);

/** The files that turn the host's clock and entropy into ports; everything else receives a `Clock` and a `Random`. */
const ports = new Set(['packages/clock-store/src/system-clock.ts', 'packages/clock-store/src/system-random.ts']);

/** No source reads the real clock, sets a real timer or draws real randomness. Tests and pages in browsers are free to. */
export function ambientTime(packages: readonly WorkspacePackage[]): Finding[] {
  return packages
    .filter(({ folder }) => folder.startsWith('packages/'))
    .flatMap(({ folder, sources }) =>
      sources
        .filter(({ path }) => !isTest(path) && !path.startsWith('src/page/') && !ports.has(`${folder}/${path}`))
        .flatMap((file) =>
          ambientUses(file).map(({ what, line }) =>
            error(`${folder}/${file.path}`, `${what} is ambient: take a Clock or a Random instead`, line),
          ),
        ),
    );
}

function ambientUses(file: SourceFile): { what: string; line: number }[] {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found: { what: string; line: number }[] = [];
  const note = (node: ts.Node, what: string) =>
    found.push({ what, line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1 });
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && members.has(node.getText(tree).replace(/^globalThis\./, '')))
      note(node, node.getText(tree));
    else if (ts.isIdentifier(node) && (timers.has(node.text) || randomNames.has(node.text)) && !isMemberName(node))
      note(node, node.text);
    else if (
      ts.isNewExpression(node) &&
      node.expression.getText(tree) === 'Date' &&
      (node.arguments?.length ?? 0) === 0
    )
      note(node, 'new Date()');
    else if (ts.isCallExpression(node) && node.expression.getText(tree) === 'Date') note(node, 'Date()');
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `port.setTimeout(…)` and `{ setTimeout: … }` name a member of something that was passed in. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent))
    return parent.name === node && parent.expression.getText() !== 'globalThis';
  return (
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent)
  );
}
