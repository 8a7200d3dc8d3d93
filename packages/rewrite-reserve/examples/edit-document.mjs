// What every worker thread does with one edit of the document. The text of a section lies in shared memory: its length, then its
// characters. An edit sees what the edits before it have left, so the order of two edits of one section matters.
const SECTION_WORDS = 128;

let titles = [];

/** Called once in every thread with the `setup` of the pool. */
export function setup(value) {
  titles = value.titles;
}

export default function edit({ payload }, shared) {
  const memory = new Int32Array(shared);
  const section = (number) => memory.subarray(1 + number * SECTION_WORDS, 1 + (number + 1) * SECTION_WORDS);
  switch (payload.edit) {
    case 'append': {
      const text = section(payload.section);
      for (const letter of payload.text) if (text[0] < SECTION_WORDS - 1) text[++text[0]] = letter.codePointAt(0);
      Atomics.add(memory, 0, payload.text.length);
      return `${payload.author} appends to ${titles[payload.section]}`;
    }
    case 'reverse': {
      const text = section(payload.section);
      text.subarray(1, 1 + text[0]).reverse();
      return `${payload.author} reverses ${titles[payload.section]}`;
    }
    case 'join': {
      const from = section(payload.section + 1);
      const to = section(payload.section);
      for (let at = 1; at <= from[0] && to[0] < SECTION_WORDS - 1; at++) to[++to[0]] = from[at];
      return `${payload.author} copies ${titles[payload.section + 1]} behind ${titles[payload.section]}`;
    }
    default: {
      const lengths = titles.map((_, number) => section(number)[0]);
      return `${payload.author} counts ${lengths.reduce((sum, length) => sum + length, 0)} letters in all sections`;
    }
  }
}
