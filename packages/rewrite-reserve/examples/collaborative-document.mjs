// A document that four people edit at once, carried out by worker threads. However many threads there are and however they are
// timed, the document is the one that a single thread would have written: the digest at the end is the same each time.
//
//   node collaborative-document.mjs [threads]
import { createHash } from 'node:crypto';
import { createRewritePool, createRewriteScheduler, footprint, keys, scopeHash } from '@horae/rewrite-reserve';

const AUTHORS = ['ada', 'ben', 'cleo', 'dan'];
const TITLES = ['Summary', 'Motivation', 'Design', 'Drawbacks', 'Alternatives', 'Questions'];
const SECTION_WORDS = 128;
const { node } = keys('document');
const section = (number) => node(['section', number]);
/** Everybody who appends adds to the count of typed letters: adds commute, so they do not wait for each other because of it. */
const typed = node('typed letters');

/** The footprint of an edit: a point, a range of sections, or the whole subtree. */
function footprintOf({ edit, section: number }) {
  if (edit === 'append') return footprint({ nWrite: [section(number)], nAdd: [typed] });
  if (edit === 'reverse') return footprint({ nWrite: [section(number)] });
  if (edit === 'join') return footprint({ nWrite: [node({ path: ['section'], from: number, to: number + 2 })] });
  return footprint({ nRead: [node({ path: ['section'], subtree: true })] });
}

const edits = Array.from({ length: 48 }, (_, at) => ({
  author: AUTHORS[at % AUTHORS.length],
  edit: at % 12 === 11 ? 'count' : at % 7 === 6 ? 'join' : at % 5 === 4 ? 'reverse' : 'append',
  section: (at * 3 + (at >> 2)) % (TITLES.length - 1),
  text: `${AUTHORS[at % AUTHORS.length]}${at} `,
}));
const RULES = { append: 1, reverse: 2, join: 3, count: 4 };
const rewrites = edits.map((payload, at) => ({
  scopeHash: scopeHash(`edit ${at}`),
  compactRule: RULES[payload.edit],
  scope: node('document'),
  footprint: footprintOf(payload),
  phase: 'matched',
  payload,
}));

// Which of them could be made at the same moment, and who is in the way of the others?
const scheduler = createRewriteScheduler({ explain: 'all' });
for (const rewrite of rewrites) scheduler.enqueue(1, rewrite);
const { entries, reserved, conflicts } = scheduler.reserveMany(1, scheduler.drainForTx(1));
console.log(
  `${rewrites.length} edits: ${reserved} could be made at the same moment, ${conflicts} have to wait, such as`,
);
const told = new Set();
for (const { rewrite, blockers } of entries) {
  const [blocker] = blockers;
  if (blocker === undefined || told.has(blocker.mode)) continue;
  told.add(blocker.mode);
  const say = ({ payload }) => `${payload.author}'s ${payload.edit} at ${TITLES[payload.section]}`;
  console.log(`  ${say(rewrite)} waits for ${say(blocker.blockedBy)} (${blocker.mode})`);
}
scheduler.finalizeTx(1);

// All of them, each as soon as those before it that are in its way have ended.
const shared = new SharedArrayBuffer(4 * (1 + TITLES.length * SECTION_WORDS));
const pool = await createRewritePool({
  workers: Number(process.argv[2] ?? 2),
  execute: new URL('./edit-document.mjs', import.meta.url),
  setup: { titles: TITLES },
  shared,
});
const { results } = await pool.run(rewrites);
await pool.stop();
console.log(`last: ${results.at(-1)}`);

const memory = new Int32Array(shared);
for (const [number, title] of TITLES.entries()) {
  const start = 1 + number * SECTION_WORDS;
  const text = String.fromCodePoint(...memory.subarray(start + 1, start + 1 + memory[start]));
  console.log(`${title.padEnd(12)} ${text.slice(0, 60)}`);
}
console.log(
  createHash('sha256')
    .update(new Uint8Array(new Uint8Array(shared)))
    .digest('hex'),
);
