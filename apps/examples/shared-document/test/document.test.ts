import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDocument, type Edit } from '../src/document.js';

const poem = ['one', 'two', 'three'];

function runAll(edits: readonly Edit[]) {
  const document = createDocument(poem);
  for (const edit of edits) document.submit(edit);
  const rounds = [];
  for (let round = document.run(); round.outcomes.length > 0; round = document.run()) rounds.push(round);
  return { document, rounds };
}

test('edits of different paragraphs happen in one round', () => {
  const { document, rounds } = runAll([
    { kind: 'replace', author: 'ada', paragraph: 0, text: 'ONE' },
    { kind: 'replace', author: 'ben', paragraph: 1, text: 'TWO' },
    { kind: 'add', author: 'cleo', text: 'four' },
    { kind: 'add', author: 'dan', text: 'five' },
  ]);
  assert.equal(rounds.length, 1);
  assert.deepEqual(document.paragraphs.slice(0, 3), ['ONE', 'TWO', 'three']);
  assert.deepEqual([...document.paragraphs.slice(3)].sort(), ['five', 'four']);
});

test('of two edits of one paragraph one waits, and is told for whom and why', () => {
  const { rounds } = runAll([
    { kind: 'replace', author: 'ada', paragraph: 1, text: 'TWO' },
    { kind: 'swap', author: 'ben', paragraph: 1, with: 2 },
  ]);
  assert.equal(rounds.length, 2);
  const waiting = rounds[0]?.outcomes.find(({ outcome }) => outcome === 'waits');
  assert.ok(waiting !== undefined && waiting.outcome === 'waits');
  assert.notEqual(waiting.for.author, waiting.edit.author);
  assert.equal(waiting.because, 'write-write');
});

test('a printed page is whole: nobody changes the document meanwhile', () => {
  const { document } = runAll([
    { kind: 'print', author: 'dan' },
    { kind: 'swap', author: 'ben', paragraph: 0, with: 2 },
    { kind: 'add', author: 'cleo', text: 'four' },
  ]);
  const [page] = document.printed;
  assert.ok(['one two three', 'three two one four'].includes(page ?? ''), page);
});

test('the same edits leave the same document and the same proof', () => {
  const edits: Edit[] = Array.from({ length: 40 }, (_, i) => ({
    kind: 'swap',
    author: `author ${i}`,
    paragraph: i % 3,
    with: (i + 1) % 3,
  }));
  const [first, second] = [runAll(edits), runAll(edits)];
  assert.deepEqual(first.document.paragraphs, second.document.paragraphs);
  assert.deepEqual(first.rounds, second.rounds);
});
