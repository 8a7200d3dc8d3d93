import { Empty } from '@horae-tooling/design/parts';
import { dateTime, fromNow } from '@horae-tooling/design/times';
import { useNow } from '../../live/live-store.js';

export function RunList(props: { runs: readonly number[]; zone: string; empty: string }) {
  const now = useNow();
  if (props.runs.length === 0) return <Empty>{props.empty}</Empty>;
  return (
    <ol class="run-list number">
      {props.runs.map((at) => (
        <li key={at}>
          <span>{dateTime(at, props.zone)}</span>
          <span class="soft tiny">{fromNow(at, now)}</span>
        </li>
      ))}
    </ol>
  );
}
