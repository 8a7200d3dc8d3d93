import { createDocument, type Edit } from './document.js';

const document = createDocument(['Roses are red,', 'violets are blue,', 'sugar is sweet.']);
const say = (edit: Edit) => `${edit.author} (${edit.kind}${'paragraph' in edit ? ` ${edit.paragraph}` : ''})`;

// Four people at once.
document.submit({ kind: 'replace', author: 'ada', paragraph: 0, text: 'Roses are pink,' });
document.submit({ kind: 'swap', author: 'ben', paragraph: 0, with: 2 });
document.submit({ kind: 'add', author: 'cleo', text: 'And so are you.' });
document.submit({ kind: 'print', author: 'dan' });

for (let round = 1; round <= 4; round++) {
  const { outcomes, receipt } = document.run();
  if (outcomes.length === 0) break;
  console.log(`round ${round}, ${receipt.length} bytes of proof`);
  for (const outcome of outcomes) {
    const waits = outcome.outcome === 'waits' ? `waits for ${say(outcome.for)}: ${outcome.because}` : 'done';
    console.log(`  ${say(outcome.edit)}: ${waits}`);
  }
}
console.log(document.paragraphs.join('\n'));
