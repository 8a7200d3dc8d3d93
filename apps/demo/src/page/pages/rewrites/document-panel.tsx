import { Button, Empty, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { DocumentRun } from '../../../wire/rewrites.js';
import { tell } from '../../live/ask-server.js';

const choices = [
  { workers: 0, label: 'One thread' },
  { workers: 2, label: 'Two workers' },
  { workers: 4, label: 'Four workers' },
];

/** A document that four people edit at once: however many threads there are, its digest is the same. */
export function DocumentPanel() {
  const [runs, setRuns] = useState<readonly DocumentRun[]>([]);
  const edit = (workers: number) =>
    attempt(async () => {
      const run = await tell<DocumentRun>('rewrites/document', { workers });
      setRuns((before) => [run, ...before].slice(0, 3));
    });
  const buttons = choices.map(({ workers, label }) => (
    <Button key={workers} small onClick={() => edit(workers)}>
      {label}
    </Button>
  ));
  return (
    <Panel title="Collaborative document" note="40 edits by four people at once" actions={buttons}>
      {runs.length === 0 ? <Empty>Run the edits, then run them again on more threads.</Empty> : <Runs runs={runs} />}
    </Panel>
  );
}

function Runs({ runs }: { runs: readonly DocumentRun[] }) {
  const { sections, waits } = runs[0]!;
  return (
    <div class="stack-tight" aria-live="polite">
      <ul class="batches">
        {runs.map(({ workers, digest }, at) => (
          <li key={runs.length - at}>
            <span class="soft tiny">{workers === 0 ? 'one thread' : `${workers} workers`}</span>
            <code class="digest">{digest}</code>
          </li>
        ))}
      </ul>
      <ul class="batches">
        {waits.map(({ edit, by, mode }) => (
          <li key={edit + by}>
            <span class="small">
              {edit} waits for {by} <span class="soft">({mode})</span>
            </span>
          </li>
        ))}
      </ul>
      <ul class="batches">
        {sections.map(({ title, text }) => (
          <li key={title}>
            <span class="soft tiny">{title}</span>
            <span class="small digest">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
