import { Empty, Panel } from '@horae-tooling/design/parts';
import { clockTime } from '@horae-tooling/design/times';
import type { RewritesSnapshot } from '../../../wire/rewrites.js';

/** The order book that settles itself: balances as bars, the latest batches beside them. */
export function BookPanel({ book }: { book: RewritesSnapshot }) {
  const most = Math.max(1, ...book.balances.map(({ amount }) => amount));
  return (
    <div class="columns">
      <Panel title="Order book" note="a batch of trades every 2.5 s" class="wide-5">
        <ul class="balances">
          {book.balances.map(({ account, amount }) => (
            <li key={account}>
              <span>{account}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="10" rx="2" fill="var(--sunken)" />
                <rect width={(100 * amount) / most} height="10" rx="2" fill="var(--engine-rewrites)" />
              </svg>
              <span class="number">{amount}</span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel
        title="Latest batches"
        note={`${book.accepted.toLocaleString('en')} trades settled, ${book.refused.toLocaleString('en')} sent back`}
        class="wide-7"
      >
        {book.ticks.length === 0 ? (
          <Empty>The first batch comes in a moment.</Empty>
        ) : (
          <ul class="batches">
            {book.ticks.slice(0, 6).map(({ tick, at, trades, waves }) => (
              <li key={tick}>
                <span class="soft number tiny">
                  {clockTime(at)} · {waves} waves
                </span>
                <span class="row trades">
                  {trades.map(({ from, to, amount, accepted }, i) => (
                    <span key={i} class={`badge ${accepted ? 'badge-good' : 'badge-bad'}`}>
                      {from} → {to} {amount}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
