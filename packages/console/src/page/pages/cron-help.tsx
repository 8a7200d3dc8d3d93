import type { Schedule } from '@horae/time-ring';
import { Button, Message } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import { timeText } from '../parts/when.jsx';
import { useAsk } from '../talk/use-ask.js';
import { useLanguage, useWords } from '../words/language.js';

interface Preview {
  readonly ok: boolean;
  readonly words: string | null;
  readonly zone: string;
  readonly next: readonly number[];
  readonly fault: { message: string; column: number | null; length: number; suggestion: string | null } | null;
}

const TYPING_MS = 250;

/** What a schedule means while it is typed: in words, the next ten times, or the fault with its fix. */
export function CronHelp(props: {
  schedule: Schedule;
  except: readonly string[];
  onUse: (expression: string) => void;
}) {
  const words = useWords();
  const locale = useLanguage();
  const text = useSettled(JSON.stringify(props.schedule));
  const except = useSettled(JSON.stringify(props.except));
  const { data, problem } = useAsk<Preview>('admin/schedule', {
    schedule: text,
    locale,
    count: 10,
    ...(except === '[]' ? {} : { except }),
  });
  if (data === null) return problem === null ? null : <Message tone="bad">{problem}</Message>;
  const { expression = '' } = props.schedule as { expression?: string };
  if (data.fault !== null) {
    const { column, length, message, suggestion } = data.fault;
    return (
      <div class="stack-tight" aria-live="polite" data-testid="cron-fault">
        {column === null ? null : (
          <code class="mono fault">
            {expression.slice(0, column - 1)}
            <mark>{expression.slice(column - 1, column - 1 + length) || ' '}</mark>
            {expression.slice(column - 1 + length)}
          </code>
        )}
        <Message tone="bad">{message}</Message>
        {suggestion === null ? null : (
          <div>
            <Button small onClick={() => props.onUse(suggestion)}>
              {words.form.use(suggestion)}
            </Button>
          </div>
        )}
      </div>
    );
  }
  return (
    <div class="stack-tight" aria-live="polite" data-testid="cron-help">
      {data.words === null ? null : <p class="cron-words">{data.words}</p>}
      {data.next.length === 0 ? (
        <p class="soft">{props.schedule.kind === 'none' ? '' : words.form.noNext}</p>
      ) : (
        <details open>
          <summary>{words.form.nextTimes}</summary>
          <table class="table next-times">
            <thead>
              <tr>
                <th scope="col">{words.form.inZone(data.zone)}</th>
                <th scope="col">{words.form.yours}</th>
              </tr>
            </thead>
            <tbody>
              {data.next.map((at) => (
                <tr key={at}>
                  <td class="number">{timeText(at, data.zone)}</td>
                  <td class="number soft">{timeText(at, Intl.DateTimeFormat().resolvedOptions().timeZone)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}

/** A text once typing has paused for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
