import { Badge, Empty, Panel } from '@horae-tooling/design/parts';
import type { ClockChangeDay, CronAnalysis } from '../../../wire/cron.js';

/** The occurrences of the expression on days with a clock change. */
export function ClockChanges({ answer, zone }: { answer: CronAnalysis; zone: string }) {
  return (
    <Panel title="Clock changes" note={zone} class="wide-4">
      {answer.changes.length === 0 ? (
        <Empty>No clock change in {answer.year} here.</Empty>
      ) : (
        <div class="stack">
          {answer.changes.map((day) => (
            <ChangeDay key={day.date} day={day} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function ChangeDay({ day }: { day: ClockChangeDay }) {
  return (
    <div class="stack-tight">
      <div class="row">
        <strong class="number">{day.date}</strong>
        <Badge tone={day.kind === 'skipped' ? 'warn' : 'accent'}>
          {day.kind === 'skipped' ? 'an hour is skipped' : 'an hour comes twice'}
        </Badge>
        <span class="soft tiny number">{day.change}</span>
      </div>
      {day.runs.length === 0 ? (
        <p class="small">No run on this day{day.usual > 0 ? `; ${day.usual} on the day before` : ''}.</p>
      ) : (
        <p class="small row">
          {day.runs.map((reading) => (
            <code key={reading}>{reading}</code>
          ))}
          {day.runs.length >= 12 ? <span class="soft">and more</span> : null}
        </p>
      )}
    </div>
  );
}
