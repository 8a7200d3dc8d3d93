import { Badge, Button, ScrollArea } from '@horae-tooling/design/parts';
import type { RewriteDraft, RewriteVerdict } from '../../../wire/rewrites.js';
import { nextUse, useOf, withUse } from './drafts.js';

/** Rewrites by keys. A cell is nothing, a read or a write; the key that blocks a refused one is marked. */
export function FootprintMatrix(props: {
  drafts: readonly RewriteDraft[];
  keys: readonly string[];
  decided: readonly RewriteVerdict[];
  onChange: (drafts: readonly RewriteDraft[]) => void;
}) {
  const { drafts, keys, decided, onChange } = props;
  const replace = (index: number, draft: RewriteDraft) => onChange(drafts.map((old, i) => (i === index ? draft : old)));
  return (
    <ScrollArea label="Footprint matrix">
      <table class="matrix">
        <thead>
          <tr>
            <th class="sr-only">Rewrite</th>
            {keys.map((key) => (
              <th key={key} scope="col">
                {key}
              </th>
            ))}
            <th scope="col" class="matrix-verdict">
              Verdict
            </th>
            <th>
              <span class="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {drafts.map((draft, index) => {
            const verdict = decided.find(({ name }) => name === draft.name);
            return (
              <tr key={draft.name} data-rewrite={draft.name}>
                <th scope="row">{draft.name}</th>
                {keys.map((key) => {
                  const use = useOf(draft, key);
                  const isBlocking = verdict?.blockers.some((blocker) => blocker.key === key) === true;
                  return (
                    <td key={key}>
                      <button
                        type="button"
                        class={`cell cell-${use} ${isBlocking ? 'cell-blocking' : ''}`}
                        aria-label={`${draft.name}, ${key}: ${use}${isBlocking ? ', blocked' : ''}`}
                        onClick={() => replace(index, withUse(draft, key, nextUse(use)))}
                      >
                        <CellMark use={use} />
                      </button>
                    </td>
                  );
                })}
                <td class="matrix-verdict">
                  <Verdict verdict={verdict} />
                </td>
                <td>
                  <Button
                    small
                    aria-label={`Remove ${draft.name}`}
                    onClick={() => onChange(drafts.filter((_, i) => i !== index))}
                  >
                    Remove
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function CellMark({ use }: { use: 'none' | 'read' | 'write' }) {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      {use === 'write' ? <rect x="4" y="4" width="16" height="16" rx="4" fill="currentcolor" /> : null}
      {use === 'read' ? <circle cx="12" cy="12" r="6.5" fill="none" stroke="currentcolor" stroke-width="2.5" /> : null}
    </svg>
  );
}

function Verdict({ verdict }: { verdict: RewriteVerdict | undefined }) {
  if (verdict === undefined) return <Badge>not decided yet</Badge>;
  if (verdict.accepted) return <Badge tone="good">admitted</Badge>;
  const [first, ...more] = verdict.blockers;
  return (
    <span class="row">
      <Badge tone="bad">refused</Badge>
      <span class="tiny">
        <strong>{first!.key}</strong> is held by {first!.by} ({first!.mode})
        {more.length > 0 ? ` and ${more.length} more` : ''}
      </span>
    </span>
  );
}
