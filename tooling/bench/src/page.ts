import { cells } from './table.js';
import type { BenchReport, Row } from './verdict.js';

/** Where and when a bench was measured. */
export interface Machine {
  node: string;
  cpu?: string | undefined;
  cores: number;
  at: string;
}

/** A bench as `docs/benchmarks.json` keeps it: the figures without the single rounds. */
export type PublishedBench = Omit<BenchReport, 'rounds'> & { machine: Machine };

/** The published figures with those of a new run in place of older ones of the same name, by name. */
export function publish(
  before: readonly PublishedBench[],
  reports: readonly BenchReport[],
  machine: Machine,
): PublishedBench[] {
  const measured = reports.map(({ rounds: _, ...figures }): PublishedBench => ({ ...figures, machine }));
  const names = new Set(measured.map(({ name }) => name));
  return [...before.filter(({ name }) => !names.has(name)), ...measured].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const intro = `# Benchmarks

Our code and its peers do the same work in turns, in one run of \`pnpm bench\`. A ratio says how many times our time a peer needs; it
is quoted with its 95 % interval, and not at all where the spread of the rounds hides it. Believe ratios rather than times: the times
are those of one machine. \`pnpm bench <name> --report\` measures a bench again and rewrites this page and \`benchmarks.json\`; nothing
on this page is typed by hand.
`;

/** The page of all published figures, one section per first part of a bench's name. */
export function renderPage(benches: readonly PublishedBench[]): string {
  const topics = [...new Set(benches.map(({ name }) => name.split('/')[0]!))];
  const sections = topics.map((topic) =>
    [`## ${topic}`, ...benches.filter(({ name }) => name.split('/')[0] === topic).map(renderBench)].join('\n\n'),
  );
  return `${[intro.trimEnd(), ...sections].join('\n\n')}\n`;
}

function renderBench(bench: PublishedBench): string {
  const { node, cpu, cores, at } = bench.machine;
  const marks = { reached: 'reached', missed: '**missed**', unclear: 'unclear, within the spread' };
  return [
    `### ${bench.name}`,
    ...(bench.about === undefined ? [] : [sentence(bench.about)]),
    [
      `| contender | median ${bench.unit} | spread | ratio to ours | 95 % interval |`,
      '| --- | ---: | ---: | ---: | ---: |',
      ...bench.rows.map(renderRow),
    ].join('\n'),
    ...(bench.wanted.length === 0
      ? []
      : [bench.wanted.map(({ text, outcome }) => `- wanted ${text}: ${marks[outcome]}`).join('\n')]),
    `Node ${node}, ${cores} cores${cpu === undefined ? '' : ` (${cpu})`}, ${at.slice(0, 10)}.`,
  ].join('\n\n');
}

function renderRow(row: Row): string {
  return `| ${cells(row).join(' | ')} |`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
