import { Empty, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { RingRunView } from '../../../wire/ring.js';
import { ask } from '../../live/ask-server.js';

interface Log {
  readonly lines: readonly string[];
  readonly end: boolean;
}

const LOOK_EVERY_MS = 700;

/** The lines a run has written, while it writes them. They are always shown as text. */
export function RunLog({ runId, run }: { runId: number | null; run: RingRunView | null }) {
  const log = useLog(runId);
  return (
    <Panel title={runId === null ? 'Log' : `Log of run ${runId}`} note={run?.jobName}>
      {runId === null ? (
        <Empty>Choose a run to read its log.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard.
        <pre class="log mono" role="log" tabIndex={0} aria-label="Log">
          {log === null ? '…' : [...log.lines, log.end ? '(end)' : '…'].join('\n')}
        </pre>
      )}
    </Panel>
  );
}

function useLog(runId: number | null): Log | null {
  const [log, setLog] = useState<Log | null>(null);
  useEffect(() => {
    setLog(null);
    if (runId === null) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const look = async () => {
      const found = await ask<Log>(`ring/runs/${runId}/log`).catch(() => null);
      if (!isCurrent) return;
      if (found !== null) setLog(found);
      if (found?.end !== true) timer = setTimeout(look, LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [runId]);
  return log;
}
