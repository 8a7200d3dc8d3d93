import { Loading } from '@horae-tooling/design/parts';
import type { RewritesSnapshot } from '../../../wire/rewrites.js';
import { useTopic } from '../../live/live-store.js';
import { BookPanel } from './book-panel.jsx';
import { DocumentPanel } from './document-panel.jsx';
import { Workbench } from './workbench.jsx';
import './rewrites.css';

export function RewritesPage() {
  const snapshot = useTopic<RewritesSnapshot>('rewrites');
  return (
    <div class="stack">
      <Workbench />
      <DocumentPanel />
      {snapshot === null ? <Loading what="the order book" /> : <BookPanel book={snapshot} />}
    </div>
  );
}
