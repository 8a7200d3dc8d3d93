/** A server that an example needs besides Node. */
export type ExampleServer = 'postgres' | 'mariadb';

/** A fenced block of TypeScript in a README or a guide. */
export interface ReadmeExample {
  /** The line of its first code line, counted from 1. */
  line: number;
  code: string;
  /** False for blocks marked `ts no-run`. */
  runs: boolean;
  /** For blocks marked `ts postgres` and `ts mariadb`: `DATABASE_URL` names an empty database on that server. */
  server: ExampleServer | null;
  /** For blocks marked `continued`: it runs after the one above, in the same folder and on the same database. */
  continues: boolean;
  /** The texts of its `// => …` comments: what it prints, in order. */
  prints: string[];
}

/** Every `ts` block of a page. */
export function examplesOf(readme: string): ReadmeExample[] {
  const examples: ReadmeExample[] = [];
  const lines = readme.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(?:ts|typescript)\b(.*)$/.exec(lines[i]!);
    if (fence === null) continue;
    const first = i + 1;
    while (++i < lines.length && !lines[i]!.startsWith('```'));
    const body = lines.slice(first, i);
    const prints = body.flatMap((line) => /\/\/ => ?(.*)$/.exec(line)?.[1] ?? []);
    const server = /\b(postgres|mariadb)\b/.exec(fence[1]!)?.[1] as ExampleServer | undefined;
    examples.push({
      line: first + 1,
      code: `${body.join('\n')}\n`,
      runs: !/\bno-run\b/.test(fence[1]!),
      server: server ?? null,
      continues: /\bcontinued\b/.test(fence[1]!),
      prints,
    });
  }
  return examples;
}

/** Programs that run one after the other: each with those that continue it. Blocks that do not run are left out. */
export function programsOf(examples: readonly ReadmeExample[]): ReadmeExample[][] {
  const programs: ReadmeExample[][] = [];
  for (const example of examples.filter(({ runs }) => runs)) {
    if (example.continues) programs.at(-1)?.push(example);
    else programs.push([example]);
  }
  return programs;
}

/** Null when the output equals what the example promises, else the difference in words. Without promises anything goes. */
export function printedAsPromised(example: ReadmeExample, printed: string): string | null {
  if (example.prints.length === 0) return null;
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  const promised = example.prints.map((line) => line.trimEnd());
  for (let i = 0; i < Math.max(lines.length, promised.length); i++) {
    if (lines[i] !== promised[i])
      return `line ${i + 1} promises ${JSON.stringify(promised[i] ?? null)} and prints ${JSON.stringify(lines[i] ?? null)}`;
  }
  return null;
}
