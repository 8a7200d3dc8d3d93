import { expect, test } from 'vitest';
import { ansiSpans } from './ansi.js';

test.each([
  { story: 'plain text is one span', line: 'plain', spans: [{ text: 'plain', classes: '' }] },
  { story: 'markup stays text', line: '<b>&amp;</b>', spans: [{ text: '<b>&amp;</b>', classes: '' }] },
  {
    story: 'a colour lasts until it is reset',
    line: 'a \u001b[31mred\u001b[0m b',
    spans: [
      { text: 'a ', classes: '' },
      { text: 'red', classes: 'ansi-ink-1' },
      { text: ' b', classes: '' },
    ],
  },
  {
    story: 'bright and bold go together, another colour replaces the first',
    line: '\u001b[1;92mok\u001b[34mblue',
    spans: [
      { text: 'ok', classes: 'ansi-bold ansi-ink-2' },
      { text: 'blue', classes: 'ansi-bold ansi-ink-4' },
    ],
  },
  { story: 'moves of the cursor are left out', line: '\u001b[2Kdone', spans: [{ text: 'done', classes: '' }] },
  { story: 'an empty line has none', line: '', spans: [] },
])('$story', ({ line, spans }) => {
  expect(ansiSpans(line)).toEqual(spans);
});
