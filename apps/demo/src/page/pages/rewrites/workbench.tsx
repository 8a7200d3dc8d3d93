import { Button, Message, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { BatchOutcome, RewriteDraft } from '../../../wire/rewrites.js';
import { tell } from '../../live/ask-server.js';
import { useConnection } from '../../live/live-store.js';
import { firstDrafts, firstKeys } from './drafts.js';
import { DrainOrder } from './drain-order.jsx';
import { FootprintMatrix } from './footprint-matrix.jsx';
import { ReceiptPanel } from './receipt-panel.jsx';
import { Waves } from './waves.jsx';

/** Draw a batch, have it decided, step through the decisions. */
export function Workbench() {
  const [drafts, setDrafts] = useState<readonly RewriteDraft[]>(firstDrafts);
  const [step, setStep] = useState<number | null>(null);
  const { outcome, problem } = useOutcome(drafts);
  const steps = outcome?.order.length ?? 0;
  const shown = step === null ? steps : Math.min(step, steps);
  const add = () => {
    let number = drafts.length + 1;
    while (drafts.some(({ name }) => name === `rewrite ${number}`)) number += 1;
    setDrafts([...drafts, { name: `rewrite ${number}`, reads: [], writes: ['tug'] }]);
  };
  return (
    <>
      <Panel
        title="Footprints"
        note="click a cell: nothing, read, write"
        actions={
          <>
            <Button small onClick={add}>
              Add a rewrite
            </Button>
            <Button small onClick={() => setDrafts(firstDrafts)}>
              Start over
            </Button>
          </>
        }
      >
        {problem === null ? null : <Message tone="bad">{problem}</Message>}
        <FootprintMatrix
          drafts={drafts}
          keys={firstKeys}
          decided={outcome?.order.slice(0, shown) ?? []}
          onChange={setDrafts}
        />
      </Panel>
      {outcome === null ? null : (
        <div class="columns">
          <DrainOrder outcome={outcome} shown={shown} onStep={setStep} />
          <Waves outcome={outcome} />
          <ReceiptPanel key={outcome.receipt.decisions} outcome={outcome} drafts={drafts} />
        </div>
      )}
    </>
  );
}

/** Every change is decided anew by the server. */
function useOutcome(drafts: readonly RewriteDraft[]) {
  const [outcome, setOutcome] = useState<BatchOutcome | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const connection = useConnection();
  useEffect(() => {
    if (connection !== 'live') return;
    let isCurrent = true;
    tell<BatchOutcome>('rewrites/batch', { drafts })
      .then((found) => {
        if (!isCurrent) return;
        setOutcome(found);
        setProblem(null);
      })
      .catch((error: Error) => isCurrent && setProblem(error.message));
    return () => {
      isCurrent = false;
    };
  }, [drafts, connection]);
  return { outcome, problem };
}
