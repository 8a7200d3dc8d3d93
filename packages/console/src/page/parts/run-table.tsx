import type { Run } from '@horae/time-ring';
import { Empty } from '@horae-tooling/design/parts';
import { addressOf } from '../talk/address.js';
import { useJobNames } from '../talk/job-names.js';
import { useWords } from '../words/language.js';
import { StateBadge, TableArea } from './common.jsx';
import { durationText, When } from './when.jsx';

/** Runs, one per row; their content is always shown as text. */
export function RunTable({
  runs,
  label,
  isOfOneJob = false,
}: {
  runs: readonly Run[];
  label: string;
  isOfOneJob?: boolean;
}) {
  const words = useWords();
  const names = useJobNames(isOfOneJob ? [] : runs.map(({ jobId }) => jobId));
  if (runs.length === 0) return <Empty>{words.runs.empty}</Empty>;
  return (
    <TableArea label={label}>
      <thead>
        <tr>
          <th scope="col">{words.title.run}</th>
          {isOfOneJob ? null : <th scope="col">{words.runs.job}</th>}
          <th scope="col">{words.state}</th>
          <th scope="col">{words.runs.type}</th>
          <th scope="col">{words.runs.started}</th>
          <th scope="col">{words.runs.took}</th>
          <th scope="col">{words.runs.message}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id} data-run={run.id} data-state={run.state}>
            <td>
              <a href={addressOf(`runs/${run.id}`)}>{run.id}</a>
            </td>
            {isOfOneJob ? null : (
              <td>
                <a href={addressOf(`jobs/${run.jobId}`)}>{names.get(run.jobId) ?? `#${run.jobId}`}</a>
              </td>
            )}
            <td>
              <StateBadge state={run.state} />
              {run.waitingFor === null ? null : (
                <span class="soft tiny"> {words.overview.reasons[run.waitingFor] ?? run.waitingFor}</span>
              )}
            </td>
            <td>{words.runs.types[run.triggerType] ?? run.triggerType}</td>
            <td>
              <When at={run.startedAt ?? run.scheduleTime ?? run.dueAt} />
            </td>
            <td class="number">{took(run)}</td>
            <td class="message-cell">{run.message ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

function took({ startedAt, endedAt }: Run): string {
  return startedAt === null || endedAt === null ? '' : durationText(endedAt - startedAt);
}
