import { Button, Message, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { BatchOutcome, ReceiptCheck, RewriteDraft } from '../../../wire/rewrites.js';
import { tell } from '../../live/ask-server.js';

/** A receipt that can be checked against its candidates, honest or after one byte has been changed. */
export function ReceiptPanel({ outcome, drafts }: { outcome: BatchOutcome; drafts: readonly RewriteDraft[] }) {
  const [check, setCheck] = useState<ReceiptCheck | null>(null);
  const verify = (bytes: string) =>
    attempt(async () => setCheck(await tell<ReceiptCheck>('rewrites/verify', { drafts, bytes })));
  return (
    <Panel title="Receipt" class="wide-3">
      <div class="stack-tight">
        <code class="soft">{outcome.receipt.decisions}…</code>
        <div class="row">
          <Button small onClick={() => verify(outcome.receipt.bytes)}>
            Verify
          </Button>
          <Button small kind="danger" onClick={() => verify(withOneByteChanged(outcome.receipt.bytes))}>
            Tamper, then verify
          </Button>
        </div>
        <div aria-live="polite">
          {check === null ? null : (
            <Message tone={check.valid ? 'good' : 'bad'}>
              {check.valid ? 'Every decision follows from the footprints.' : check.problem}
            </Message>
          )}
        </div>
      </div>
    </Panel>
  );
}

function withOneByteChanged(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const last = bytes.length - 1;
  bytes[last] = bytes[last]! ^ 1;
  return btoa(String.fromCharCode(...bytes));
}
