import { Empty, Panel } from '@horae-tooling/design/parts';
import type { LogLine, SimRun } from '../../../wire/sim.js';

/** Everything that happened beside what one character has seen of it. */
export function LogsPanel({ run, pc }: { run: SimRun; pc: string | null }) {
  return (
    <Panel title="Logs" note="each line is chained to all before it" class="wide-7">
      <div class="logs">
        <Log title={`World, ${run.worldLog.length} events`} lines={run.worldLog} />
        <Log title={pc === null ? 'Nobody watches' : `${pc} has seen ${run.pcLog.length}`} lines={run.pcLog} />
      </div>
    </Panel>
  );
}

function Log({ title, lines }: { title: string; lines: readonly LogLine[] }) {
  return (
    <div class="stack-tight">
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <Empty>Nothing.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard.
        <ol class="feed" tabIndex={0} aria-label={title}>
          {lines.map(({ at, type, action, hash }) => (
            <li key={hash}>
              <span class="soft number tiny">{at.slice(11, 16)}</span>
              <span class="tiny soft">{type.replace('_', ' ')}</span>
              <span>{action}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
