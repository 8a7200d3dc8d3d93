import type { RewritesSnapshot } from '../../../wire/rewrites.js';
import { Loading } from '../../design/parts.jsx';
import { useTopic } from '../../live/live-store.js';
import { BookPanel } from './book-panel.jsx';
import { Workbench } from './workbench.jsx';
import './rewrites.css';

export function RewritesPage() {
  const snapshot = useTopic<RewritesSnapshot>('rewrites');
  return (
    <div class="stack">
      <Workbench />
      {snapshot === null ? <Loading what="the order book" /> : <BookPanel book={snapshot} />}
    </div>
  );
}
