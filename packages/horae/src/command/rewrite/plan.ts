import { createRewriteScheduler, planWaves } from '@horae/rewrite-reserve';
import { checkedText } from '../documents/checked-document.js';
import { readInput } from '../documents/read-input.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { textTable } from '../output/text-table.js';
import { keyText, type NamedRewrite, namedRewrites, refusedByName, rewritesSchema } from './rewrites-file.js';

const fileNotes = `
FILE (JSON or YAML; every set of the footprint may be left out)

  [
    { "name": "pay",  "scope": { "warp": "book", "id": "ann" },
      "footprint": { "nWrite": [{ "warp": "book", "id": "ann" }, { "warp": "book", "id": "ben" }] } },
    { "name": "read", "scope": { "warp": "book", "id": "ben" },
      "footprint": { "nRead": [{ "warp": "book", "id": "ben" }] } }
  ]

  An id is a number, a text, or { "hex": "64 digits" }. "scopeHash" (64 hex digits) decides the order; without it the
  SHA-256 of the name does. Sets: nRead nAdd nWrite eRead eAdd eWrite aRead aAdd aWrite bIn bOut.
  An id may be a path, ["doc", 4]; { "warp", "path", "subtree": true } is a path and all below it, and
  { "warp", "path", "from", "to" } what is below it with the next segment from "from" to before "to".
`;

export const plan = defineCommand({
  name: 'horae rewrite plan',
  about: 'Admit rewrites in canonical order, say who blocks whom, and put all of them into parallel waves',
  args: {
    rewrites: { type: 'positional', description: 'A JSON or YAML file, or - for standard input', required: true },
    kind: { type: 'enum', options: ['radix', 'legacy'], default: 'radix', description: 'Which engine decides' },
    all: { type: 'boolean', description: 'Name every blocker of a refused rewrite, not only the first' },
  },
  examples: [
    { line: 'horae rewrite plan rewrites.json', does: 'verdicts and waves' },
    { line: 'horae rewrite plan rewrites.json --all --json | jq .waves', does: 'the waves, for a program' },
  ],
  notes: fileNotes,
  async run(args) {
    const named = namedRewrites(checkedText(await readInput(args.rewrites), rewritesSchema, args.rewrites));
    return planned(named, { kind: args.kind as 'radix' | 'legacy', explain: args.all === true ? 'all' : 'first' });
  },
});

function planned(
  named: readonly NamedRewrite[],
  options: { kind: 'radix' | 'legacy'; explain: 'all' | 'first' },
): Answer {
  const names = new Map(named.map(({ name, rewrite }) => [rewrite, name]));
  const scheduler = createRewriteScheduler(options);
  for (const { name, rewrite } of named) refusedByName(name, () => scheduler.enqueue(0, rewrite));
  const drained = scheduler.drainForTx(0);
  const { reserved, conflicts, entries } = scheduler.reserveMany(0, drained);
  const order = entries.map(({ rewrite, accepted, blockers }) => ({
    name: names.get(rewrite)!,
    accepted,
    scopeHash: rewrite.scopeHash,
    compactRule: rewrite.compactRule,
    blockers: blockers.map(({ blockedBy, category, key, mode }) => ({
      by: names.get(blockedBy)!,
      category,
      key: keyText(key),
      mode,
    })),
  }));
  const waves = planWaves(drained).map((wave) => wave.map((rewrite) => names.get(rewrite)!));
  const replaced = named.length - drained.length;
  const rows = order.map(({ name, accepted, blockers }) => [
    accepted ? 'accepted' : 'refused',
    name,
    blockers.map(({ by, category, key, mode }) => `by ${by}: ${category} ${key} (${mode})`).join('; '),
  ]);
  const summary = [
    `${reserved} accepted, ${conflicts} refused`,
    ...(replaced === 0 ? [] : [`${replaced} replaced by a later one of the same hash and rule`]),
    `${waves.length} waves for all of them`,
  ].join(', ');
  const waveLines = waves.map((wave, index) => `wave ${index + 1}: ${wave.join(', ')}`);
  return {
    json: { reserved, conflicts, replaced, order, waves },
    text: [...(rows.length === 0 ? [] : [textTable(rows)]), summary, ...waveLines].join('\n'),
  };
}
