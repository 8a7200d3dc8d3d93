import { Badge, Button, Empty, Panel } from '@horae-tooling/design/parts';
import type { AuditEntry } from '../../wire/accounts.js';
import { JsonText, Loading, ProblemText, TableArea, TableHead } from '../parts/common.jsx';
import { When } from '../parts/when.jsx';
import { usePages } from '../talk/use-pages.js';
import { useWords } from '../words/language.js';

/** Every change: user, time, address, before and after. */
export function AuditPage() {
  const words = useWords();
  const { items, problem, more } = usePages<AuditEntry>('console/audit', 'entries', { limit: 50 });
  return (
    <Panel title={words.title.audit}>
      <ProblemText text={problem} />
      {items === null ? (
        <Loading />
      ) : items.length === 0 ? (
        <Empty>{words.audit.empty}</Empty>
      ) : (
        <AuditTable entries={items} />
      )}
      {more === null ? null : <Button onClick={more}>{words.more}</Button>}
    </Panel>
  );
}

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const words = useWords();
  return (
    <TableArea label={words.title.audit}>
      <TableHead
        texts={[
          words.audit.when,
          words.audit.who,
          words.audit.from,
          words.audit.what,
          words.audit.target,
          words.audit.show,
        ]}
      />
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id} data-audit={entry.action}>
            <td>
              <When at={entry.at} />
            </td>
            <td>{entry.who}</td>
            <td class="mono">{entry.from ?? '–'}</td>
            <td>
              <span class="mono">{entry.action}</span>{' '}
              <Badge tone={entry.status < 300 ? 'good' : 'bad'}>{entry.status}</Badge>
            </td>
            <td>{entry.target}</td>
            <td>
              {entry.before === null && entry.after === null ? null : (
                <details>
                  <summary>{words.audit.show}</summary>
                  <JsonText value={entry.before} label={`${words.audit.before} ${entry.id}`} />
                  <JsonText value={entry.after} label={`${words.audit.after} ${entry.id}`} />
                </details>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}
