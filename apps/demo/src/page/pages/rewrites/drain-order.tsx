import { Button, Panel } from '@horae-tooling/design/parts';
import type { BatchOutcome } from '../../../wire/rewrites.js';

/** The canonical order: by the hash, then by the rule. Step through it and watch the matrix. */
export function DrainOrder(props: { outcome: BatchOutcome; shown: number; onStep: (step: number | null) => void }) {
  const { outcome, shown, onStep } = props;
  const { order } = outcome;
  return (
    <Panel
      title="Drain order"
      note={`${outcome.reserved} admitted, ${outcome.conflicts} refused`}
      class="wide-5"
      actions={
        <span class="row">
          <Button small onClick={() => onStep(0)}>
            First
          </Button>
          <Button small disabled={shown === 0} onClick={() => onStep(shown - 1)}>
            Back
          </Button>
          <Button small disabled={shown >= order.length} onClick={() => onStep(shown + 1)}>
            Step
          </Button>
          <Button small disabled={shown >= order.length} onClick={() => onStep(null)}>
            All
          </Button>
        </span>
      }
    >
      <ol class="drain">
        {order.map(({ name, hash, accepted }, i) => (
          <li key={name} class={i < shown ? '' : 'drain-coming'} aria-current={i === shown - 1 ? 'step' : undefined}>
            <span class="soft number tiny">{i + 1}</span>
            <code class="soft">{hash}…</code>
            <span>{name}</span>
            <span class={i >= shown ? 'soft' : accepted ? 'tone-good' : 'tone-bad'}>
              {i >= shown ? 'to come' : accepted ? 'admitted' : 'refused'}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
