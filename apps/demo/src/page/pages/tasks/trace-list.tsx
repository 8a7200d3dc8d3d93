import { Badge, Empty, Message, Panel } from '@horae-tooling/design/parts';
import { clockTime } from '@horae-tooling/design/times';
import type { TraceLine, TraceVerdict } from '../../../wire/tasks.js';

/** The events, and whether rules that are independent of the scheduler's code find them legal. */
export function TraceList({ trace, verdict }: { trace: readonly TraceLine[]; verdict: TraceVerdict }) {
  return (
    <Panel
      title="Trace"
      class="wide-6"
      actions={
        <Badge tone={verdict.broken.length === 0 ? 'good' : 'bad'}>
          {verdict.broken.length === 0
            ? `legal: ${verdict.events} events, no rule broken`
            : `${verdict.broken.length} rules broken`}
        </Badge>
      }
    >
      {verdict.broken.slice(0, 3).map(({ rule, message }) => (
        <Message key={rule + message} tone="bad">
          {rule}: {message}
        </Message>
      ))}
      {trace.length === 0 ? (
        <Empty>No event yet.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard.
        <ol class="feed trace" tabIndex={0} aria-label="Trace, newest first">
          {trace.map(({ index, event, at, taskName, detail }) => (
            <li key={index}>
              <span class="soft number tiny">{clockTime(at)}</span>
              <span class={event.endsWith('Failed') ? 'tone-bad' : ''}>{event}</span>
              <span class="soft">
                {taskName ?? ''} {detail}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
