/** The longest part of a line that is kept; the rest is counted and dropped. */
export const MAX_LINE_BYTES = 8_192;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts a stream of bytes into lines, however they are chunked. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Ends the last line. */
  end(): void;
}

/**
 * Passes every line to `take`, without its line break; empty lines are skipped. Of a line longer than 8 KiB the first 8 KiB are kept,
 * followed by a note of how much was dropped, so a command that never prints a newline costs no memory.
 */
export function createLineSplitter(take: (line: string) => void): LineSplitter {
  const kept = Buffer.allocUnsafe(MAX_LINE_BYTES);
  let keptBytes = 0;
  let droppedBytes = 0;

  const add = (part: Uint8Array) => {
    const room = Math.min(part.length, MAX_LINE_BYTES - keptBytes);
    kept.set(part.subarray(0, room), keptBytes);
    keptBytes += room;
    droppedBytes += part.length - room;
  };
  const finishLine = () => {
    if (keptBytes > 0) take(textOf(kept.subarray(0, keptBytes), droppedBytes));
    keptBytes = 0;
    droppedBytes = 0;
  };
  return {
    push(chunk) {
      let from = 0;
      for (const at of lineBreaks(chunk)) {
        add(chunk.subarray(from, at));
        finishLine();
        from = at + 1;
      }
      add(chunk.subarray(from));
    },
    end: finishLine,
  };
}

/** Where lines end. Carriage returns end one too: progress bars write nothing else. */
function* lineBreaks(chunk: Uint8Array): Generator<number> {
  const find = (byte: number, from: number) => {
    const at = chunk.indexOf(byte, from);
    return at === -1 ? chunk.length : at;
  };
  let newline = find(NEWLINE, 0);
  let carriageReturn = find(CARRIAGE_RETURN, 0);
  for (let at = Math.min(newline, carriageReturn); at < chunk.length; at = Math.min(newline, carriageReturn)) {
    yield at;
    if (at === newline) newline = find(NEWLINE, at + 1);
    else carriageReturn = find(CARRIAGE_RETURN, at + 1);
  }
}

function textOf(bytes: Buffer, droppedBytes: number): string {
  const text = bytes.toString('utf8');
  if (droppedBytes === 0) return text;
  // The cut may have split the last character.
  return `${text.replace(/\uFFFD+$/, '')}… (${droppedBytes} more bytes dropped)`;
}
