import { Panel } from '@horae-tooling/design/parts';
import { firstClicks } from '../../../wire/first-clicks.js';

/** What to try first, for people who have never seen the page. */
export function FirstClicksPanel() {
  return (
    <Panel title="Click first" note="each takes a few seconds">
      <ol class="first-clicks">
        {firstClicks.map(({ page, title, what }) => (
          <li key={what}>
            <a href={`#/${page}`}>{title}</a>: {what}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
