import { Badge, Empty, Panel } from '@horae-tooling/design/parts';
import { clockTime } from '@horae-tooling/design/times';
import type { ChainRecord } from '../../../wire/shifts.js';
import { Violations } from './violations.jsx';

/** The transactions submitted to the chain, and their outcomes. */
export function ChainHistory({ history }: { history: readonly ChainRecord[] }) {
  return (
    <Panel title="Chain" note="newest first" class="wide-7">
      {history.length === 0 ? (
        <Empty>Nothing has been submitted yet.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard.
        <ol class="feed chain" tabIndex={0} aria-label="Transactions, newest first">
          {history.map(({ id, at, what, by, accepted, violations }) => (
            <li key={id}>
              <span class="soft number tiny">{clockTime(at)}</span>
              <Badge tone={accepted ? 'good' : 'bad'}>{accepted ? 'accepted' : 'refused'}</Badge>
              <div>
                {what} <span class="soft">by {by}</span>
                {violations.length === 0 ? null : <Violations violations={violations} />}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
