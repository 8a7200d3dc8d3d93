import { clockTime } from '@horae-tooling/design/times';
import type { ChainRecord } from '../../../wire/shifts.js';

/** Every broken rule: what it expected and what it found. */
export function Violations({ violations }: { violations: ChainRecord['violations'] }) {
  return (
    <ul class="violations">
      {violations.map(({ rule, expected, found }) => (
        <li key={rule}>
          <code>{rule}</code>
          <span>
            wanted {readable(expected)}; found {readable(found)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Epoch milliseconds as clock times. */
function readable(text: string): string {
  return text.replace(/\b1[0-9]{12}\b/g, (at) => clockTime(Number(at)));
}
