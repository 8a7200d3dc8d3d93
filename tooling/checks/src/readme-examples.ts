/** A fenced block of TypeScript in a README. */
export interface ReadmeExample {
  /** The line of its first code line, counted from 1. */
  line: number;
  code: string;
  /** False for blocks marked `ts no-run`. */
  runs: boolean;
  /** The texts of its `// => …` comments: what it prints, in order. */
  prints: string[];
}

/** Every `ts` block of a README. */
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
    examples.push({ line: first + 1, code: `${body.join('\n')}\n`, runs: !/\bno-run\b/.test(fence[1]!), prints });
  }
  return examples;
}

/** Null when what was printed is what the example promises, else the difference in words. Without promises anything goes. */
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
