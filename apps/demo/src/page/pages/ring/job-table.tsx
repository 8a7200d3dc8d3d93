import { Badge, Button, Empty, ScrollArea } from '@horae-tooling/design/parts';
import { fromNow } from '@horae-tooling/design/times';
import { attempt } from '@horae-tooling/design/toasts';
import type { RingJobView } from '../../../wire/ring.js';
import { tell } from '../../live/ask-server.js';
import { useNow } from '../../live/live-store.js';

export function JobTable({ jobs, isResting }: { jobs: readonly RingJobView[]; isResting: boolean }) {
  const now = useNow(500);
  if (jobs.length === 0) return <Empty>{isResting ? 'The node rests.' : 'No job yet. Add one below.'}</Empty>;
  return (
    <ScrollArea label="Jobs">
      <table class="table jobs-table">
        <thead>
          <tr>
            <th>Job</th>
            <th>Schedule</th>
            <th>State</th>
            <th>Next</th>
            <th>Route, block, misfire</th>
            <th>
              <span class="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <Row key={job.id} job={job} now={now} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Row({ job, now }: { job: RingJobView; now: number }) {
  const act = (verb: string, done?: string) => () => attempt(() => tell(`ring/jobs/${verb}`, { id: job.id }), done);
  const isRunning = job.state === 'RUNNING';
  return (
    <tr data-job={job.name}>
      <td>
        <strong>{job.name}</strong> <span class="soft tiny">{job.handler}</span>
      </td>
      <td>
        <code>{job.schedule}</code>
      </td>
      <td>
        <Badge tone={isRunning ? 'good' : 'plain'}>{isRunning ? 'started' : 'stopped'}</Badge>
        {job.stopReason === null ? null : <div class="soft tiny">{job.stopReason}</div>}
      </td>
      <td class="number">{job.nextAt === null ? <span class="soft">by hand</span> : fromNow(job.nextAt, now)}</td>
      <td class="tiny soft">
        {[job.route, job.block, job.misfire].map((word) => word.toLowerCase().replaceAll('_', ' ')).join(', ')}
      </td>
      <td>
        <span class="row job-actions">
          <Button
            small
            kind="primary"
            aria-label={`Trigger ${job.name}`}
            onClick={act('trigger', `${job.name} is triggered.`)}
          >
            Trigger
          </Button>
          {job.schedule === 'by hand' ? null : (
            <Button
              small
              aria-label={`${isRunning ? 'Stop' : 'Start'} ${job.name}`}
              onClick={act(isRunning ? 'stop' : 'start')}
            >
              {isRunning ? 'Stop' : 'Start'}
            </Button>
          )}
          <Button small kind="danger" aria-label={`Remove ${job.name}`} onClick={act('remove')}>
            Remove
          </Button>
        </span>
      </td>
    </tr>
  );
}
