import type { RingNode } from '../node/ring-node.js';

/** Log lines of runs on this node, until they are written. */
export interface RunLogs {
  add(runId: number, line: string): void;
  /** Removes and returns the unwritten lines of an ended run, to be written with its end. */
  takeLast(runId: number): readonly { readonly line: number; readonly text: string }[];
  /** Writes the buffered lines. */
  flush(): Promise<void>;
}

const MAX_LINES = 10_000;
const MAX_LINE_LENGTH = 10_000;

interface Buffer {
  /** The number of the next line. */
  next: number;
  lines: { line: number; text: string }[];
}

export function createRunLogs(node: Pick<RingNode, 'store'>): RunLogs {
  const buffers = new Map<number, Buffer>();
  let flushing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    const full = [...buffers].filter(([, { lines }]) => lines.length > 0);
    if (full.length === 0) return;
    const taken = full.map(([runId, buffer]) => ({ runId, buffer, lines: buffer.lines }));
    for (const { buffer } of taken) buffer.lines = [];
    try {
      const rows = taken.flatMap(({ runId, lines }) => lines.map(({ line, text }) => ({ runId, line, text })));
      await node.store.transaction((trx) => trx.appendLog(rows));
    } catch (error) {
      for (const { buffer, lines } of taken) buffer.lines = [...lines, ...buffer.lines];
      throw error;
    }
  }

  return {
    add(runId, line) {
      const buffer = buffers.get(runId) ?? { next: 0, lines: [] };
      buffers.set(runId, buffer);
      if (buffer.next > MAX_LINES) return;
      const text = buffer.next === MAX_LINES ? `(more than ${MAX_LINES} lines: the rest is not kept)` : cut(line);
      buffer.lines.push({ line: buffer.next, text });
      buffer.next += 1;
    },
    takeLast(runId) {
      const lines = buffers.get(runId)?.lines ?? [];
      buffers.delete(runId);
      return lines;
    },
    async flush() {
      flushing ??= flush().finally(() => {
        flushing = null;
      });
      await flushing;
    },
  };
}

function cut(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}
