import type { RingHealth } from '@horae/time-ring';
import { Button, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import { Facts, Loading } from '../parts/common.jsx';
import { TextField } from '../parts/text-field.jsx';
import { about } from '../talk/about.js';
import { change, loadSession, session } from '../talk/api.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

/** The version, the database, the node and its health, and the current user. */
export function AboutPage() {
  const words = useWords();
  const facts = about.use();
  const now = session.use();
  const { data: health } = useAsk<RingHealth>('admin/health');
  if (facts === null || now?.kind !== 'in') return <Loading />;
  const groups = now.groups === null ? words.users.allGroups : now.groups.join(', ');
  return (
    <div class="stack">
      <Panel title={words.title.about}>
        <Facts
          facts={[
            [words.about.version, facts.version],
            [words.about.database, facts.database],
            [words.about.mode, facts.claim],
            [words.about.node, facts.nodeId],
            [words.about.zone, facts.zone],
            [words.about.health, health === null ? '–' : `${health.status} ${health.problem ?? ''}`],
            [words.about.you, `${now.name}: ${words.users.roles[now.role]}, ${groups}`],
            [
              words.about.api,
              <a key="api" href="admin/openapi.json">
                admin/openapi.json
              </a>,
            ],
          ]}
        />
      </Panel>
      {now.hasPassword ? <PasswordForm /> : null}
    </div>
  );
}

function PasswordForm() {
  const words = useWords();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const send = () =>
    attempt(async () => {
      await change('POST', 'console/password', { current, next });
      await loadSession();
      setCurrent('');
      setNext('');
    }, words.login.changed);
  return (
    <Panel title={words.login.changePassword}>
      <div class="job-fields">
        <TextField
          label={words.login.current}
          type="password"
          autocomplete="current-password"
          value={current}
          onText={setCurrent}
        />
        <TextField label={words.login.next} type="password" autocomplete="new-password" value={next} onText={setNext} />
        <Button onClick={send}>{words.save}</Button>
      </div>
    </Panel>
  );
}
