import { createHash } from 'node:crypto';
import { createRewriteScheduler, footprint, keys, type PendingRewrite, runGraph, scopeHash } from 'horae/rewrite';
import type { DocumentRun } from '../../wire/rewrites.js';

// The document of examples/collaborative-document.mjs in the rewrite package, small enough for a page.
const AUTHORS = ['Ada', 'Ben', 'Cleo', 'Dan'];
const TITLES = ['Summary', 'Motivation', 'Design', 'Drawbacks', 'Questions'];
const SECTION_WORDS = 64;
const EDITS = 40;
const { node } = keys('document');

interface Edit {
  readonly author: string;
  readonly kind: 'append' | 'reverse' | 'join';
  readonly section: number;
  readonly text: string;
}

/** Runs in worker threads, wherever this file has been bundled to. */
const EDIT_MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
  export default ({ payload: { kind, section, text } }, shared) => {
    const at = (number) => new Int32Array(shared).subarray(number * ${SECTION_WORDS}, (number + 1) * ${SECTION_WORDS});
    const put = (to, letter) => { if (to[0] < ${SECTION_WORDS} - 1) to[++to[0]] = letter; };
    const own = at(section);
    if (kind === 'append') for (const letter of text) put(own, letter.codePointAt(0));
    if (kind === 'reverse') own.subarray(1, 1 + own[0]).reverse();
    if (kind === 'join') for (const letter of at(section + 1).slice(1, 1 + at(section + 1)[0])) put(own, letter);
  };
`)}`,
);

/** Forty edits by four people: on worker threads the document is the one that a single thread writes. */
export async function editDocument(workers: number): Promise<DocumentRun> {
  const rewrites = Array.from({ length: EDITS }, (_, at) => rewriteOf(editAt(at), at));
  const shared = new SharedArrayBuffer(TITLES.length * SECTION_WORDS * 4);
  await runGraph(rewrites, EDIT_MODULE, { workers, shared });
  const words = new Int32Array(shared);
  const sections = TITLES.map((title, number) => {
    const start = number * SECTION_WORDS;
    return { title, text: String.fromCodePoint(...words.subarray(start + 1, start + 1 + words[start]!)) };
  });
  const digest = createHash('sha256')
    .update(new Uint8Array(new Uint8Array(shared)))
    .digest('hex');
  return { workers, edits: EDITS, sections, digest, waits: waitsOf(rewrites) };
}

function editAt(at: number): Edit {
  const author = AUTHORS[at % AUTHORS.length]!;
  const kind = at % 7 === 6 ? 'join' : at % 5 === 4 ? 'reverse' : 'append';
  return { author, kind, section: (at * 3 + (at >> 2)) % (TITLES.length - 1), text: `${author}${at} ` };
}

function rewriteOf(edit: Edit, at: number): PendingRewrite {
  const { kind, section } = edit;
  const key =
    kind === 'join' ? node({ path: ['section'], from: section, to: section + 2 }) : node(['section', section]);
  return {
    scopeHash: scopeHash(`edit ${at}`),
    compactRule: 1,
    scope: node(['section', section]),
    footprint: footprint({ nWrite: [key] }),
    phase: 'matched',
    payload: edit,
  };
}

/** For the first few edits that cannot be made at once: their blockers. */
function waitsOf(rewrites: readonly PendingRewrite[]): DocumentRun['waits'] {
  const scheduler = createRewriteScheduler();
  for (const rewrite of rewrites) scheduler.enqueue(1, { ...rewrite });
  const { entries } = scheduler.reserveMany(1, scheduler.drainForTx(1));
  const say = ({ payload }: PendingRewrite) => {
    const { author, kind, section } = payload as Edit;
    return `${author}: ${kind} at ${TITLES[section]}`;
  };
  return entries
    .flatMap(({ rewrite, blockers }) =>
      blockers.map(({ blockedBy, mode }) => ({ edit: say(rewrite), by: say(blockedBy), mode })),
    )
    .slice(0, 4);
}
