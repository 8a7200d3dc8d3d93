import {
  createRewriteScheduler,
  encodeReceipt,
  footprint,
  keys,
  type PendingRewrite,
  receipt,
  scopeHash,
} from '@horae/rewrite-reserve';

/** What a person does to the document. Paragraphs are counted from 0; a new one goes to the end. */
export type Edit =
  | { readonly kind: 'add'; readonly author: string; readonly text: string }
  | { readonly kind: 'replace'; readonly author: string; readonly paragraph: number; readonly text: string }
  | { readonly kind: 'swap'; readonly author: string; readonly paragraph: number; readonly with: number }
  | { readonly kind: 'print'; readonly author: string };

/** What became of an edit. A refused one names the edit that was in its way, and is tried again in the next round. */
export type Outcome =
  | { readonly edit: Edit; readonly outcome: 'done' }
  | { readonly edit: Edit; readonly outcome: 'waits'; readonly for: Edit; readonly because: string };

export interface Round {
  readonly outcomes: readonly Outcome[];
  /** Proves the decisions to anybody who has the edits. */
  readonly receipt: Uint8Array;
}

const { node } = keys('document');
const paragraph = (number: number) => node(['paragraph', number]);
const end = node('end');

/** What an edit reads, adds to and writes: two edits collide when one changes what the other uses. */
function footprintOf(edit: Edit) {
  switch (edit.kind) {
    case 'add':
      return footprint({ nAdd: [end] }); // adds to the end do not disturb each other
    case 'replace':
      return footprint({ nWrite: [paragraph(edit.paragraph)] });
    case 'swap':
      return footprint({ nWrite: [paragraph(edit.paragraph), paragraph(edit.with)] });
    case 'print':
      return footprint({ nRead: [node({ path: ['paragraph'], subtree: true }), end] });
  }
}

const RULES = { add: 1, replace: 2, swap: 3, print: 4 } as const;

/** A document that any number of people edit in rounds. The same edits give the same document on every machine. */
export function createDocument(paragraphs: readonly string[]) {
  const text = [...paragraphs];
  const printed: string[] = [];
  // What was refused three times goes first.
  const scheduler = createRewriteScheduler({ explain: 'all', starvation: { after: 3 } });
  let round = 1;
  let sequence = 0;

  function apply(edit: Edit): void {
    if (edit.kind === 'add') text.push(edit.text);
    else if (edit.kind === 'replace') text[edit.paragraph] = edit.text;
    else if (edit.kind === 'print') printed.push(text.join(' '));
    else [text[edit.paragraph], text[edit.with]] = [text[edit.with] ?? '', text[edit.paragraph] ?? ''];
  }

  return {
    get paragraphs(): readonly string[] {
      return [...text];
    },
    get printed(): readonly string[] {
      return [...printed];
    },

    /** Hands in an edit for the next round. */
    submit(edit: Edit): void {
      sequence += 1;
      scheduler.enqueue(round, {
        scopeHash: scopeHash(`${edit.author} ${sequence}`),
        compactRule: RULES[edit.kind],
        scope: node('document'),
        footprint: footprintOf(edit),
        phase: 'matched',
        payload: edit,
      });
    },

    /** Carries out every edit that collides with none before it; the others wait for the next round. */
    run(): Round {
      const result = scheduler.reserveMany(round, scheduler.drainForTx(round));
      const outcomes = result.entries.map(({ rewrite, blockers }): Outcome => {
        const edit = editOf(rewrite);
        const [blocker] = blockers;
        if (blocker !== undefined)
          return { edit, outcome: 'waits', for: editOf(blocker.blockedBy), because: blocker.mode };
        apply(edit);
        return { edit, outcome: 'done' };
      });
      const bytes = encodeReceipt(receipt(result));
      scheduler.carryOver(round, round + 1);
      scheduler.finalizeTx(round);
      round += 1;
      return { outcomes, receipt: bytes };
    },
  };
}

function editOf(rewrite: PendingRewrite): Edit {
  return rewrite.payload as Edit;
}
