import { Empty } from '@horae-tooling/design/parts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ansiSpans } from '../parts/ansi.js';
import { ask } from '../talk/api.js';
import { useWords } from '../words/language.js';

interface LogPage {
  readonly lines: readonly string[];
  readonly nextLine: number;
  readonly end: boolean;
}

const LOOK_EVERY_MS = 700;
const MAX_LINES = 5_000;

/** The lines a run has written, while it writes them, in the colours of a terminal. They are always shown as text. */
export function RunLog({ id, isOver }: { id: number; isOver: boolean }) {
  const words = useWords();
  const { lines, isCut, hasRead } = useLog(id);
  const [isFollowing, setFollowing] = useState(true);
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (isFollowing && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [lines, isFollowing]);
  if (lines.length === 0) return <Empty>{isOver && hasRead ? words.runs.noLog : words.loading}</Empty>;
  return (
    <div class="stack-tight">
      <label class="row small">
        <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.currentTarget.checked)} />{' '}
        {words.runs.follow}
      </label>
      {isCut ? <p class="soft small">{words.runs.cut(MAX_LINES)}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard. */}
      <pre class="log mono" ref={place} role="log" tabIndex={0} aria-label={words.runs.log}>
        {lines.map((line, index) => (
          <div key={index}>
            {ansiSpans(line).map(({ text, classes }, at) => (
              <span key={at} class={classes}>
                {text}
              </span>
            ))}
            {'\n'}
          </div>
        ))}
      </pre>
    </div>
  );
}

function useLog(id: number): { lines: readonly string[]; isCut: boolean; hasRead: boolean } {
  const [log, setLog] = useState<{ lines: readonly string[]; isCut: boolean; hasRead: boolean }>({
    ...{ lines: [], isCut: false, hasRead: false },
  });
  useEffect(() => {
    setLog({ lines: [], isCut: false, hasRead: false });
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    let fromLine = 0;
    const look = async () => {
      const page = await ask<LogPage>(`admin/runs/${id}/log`, { fromLine }).catch(() => null);
      if (!isCurrent) return;
      if (page !== null) {
        fromLine = page.nextLine;
        setLog((before) => {
          const all = page.lines.length === 0 ? before.lines : [...before.lines, ...page.lines];
          return { lines: all.slice(-MAX_LINES), isCut: before.isCut || all.length > MAX_LINES, hasRead: true };
        });
      }
      if (page?.end !== true) timer = setTimeout(look, LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id]);
  return log;
}
