import { Button, Message, Panel } from '@horae-tooling/design/parts';
import { useState } from 'preact/hooks';
import { ProblemText } from '../parts/common.jsx';
import { TextField } from '../parts/text-field.jsx';
import { type Address, go } from '../talk/address.js';
import { change, isSessionOver, loadSession } from '../talk/api.js';
import { problemOf } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

/** Name and password; with an invitation, those of the first admin. */
export function LoginPage({ hasUsers, invitation }: { hasUsers: boolean; invitation: string | null }) {
  const words = useWords();
  const isOver = isSessionOver.use();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const isFirst = invitation !== null && !hasUsers;
  const send = async () => {
    try {
      await (isFirst
        ? change('POST', 'console/first-admin', { invitation, name, password })
        : change('POST', 'console/session', { name, password }));
      isSessionOver.set(false);
      if (isFirst) go('');
      await loadSession();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <main class="main login" id="content">
      <h1>{isFirst ? words.title.firstAdmin : words.title.login}</h1>
      <Panel title={isFirst ? words.title.firstAdmin : words.title.login}>
        <form
          class="stack-tight"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          {isOver ? <Message tone="warn">{words.login.over}</Message> : null}
          {hasUsers ? null : <Message>{isFirst ? words.login.firstAdmin : words.login.noUsers}</Message>}
          {hasUsers || isFirst ? (
            <>
              <TextField
                label={words.name}
                name="name"
                autocomplete="username"
                required
                value={name}
                onText={setName}
              />
              <TextField
                label={words.login.password}
                type="password"
                name="password"
                autocomplete={isFirst ? 'new-password' : 'current-password'}
                required
                value={password}
                onText={setPassword}
              />
              <Button kind="primary" type="submit">
                {isFirst ? words.login.create : words.login.submit}
              </Button>
            </>
          ) : null}
          <ProblemText text={problem} />
        </form>
      </Panel>
    </main>
  );
}

/** The link to the provider that identifies users, and the error of the last attempt. */
export function ProviderLogin({ provider, address }: { provider: string; address: Address }) {
  const words = useWords();
  const isOver = isSessionOver.use();
  const isRefused = address.path === 'login-refused';
  const why = isRefused ? (address.query.get('why') ?? '') : null;
  const query = address.query.toString();
  const to = isRefused ? '' : `${address.path}${query === '' ? '' : `?${query}`}`;
  return (
    <main class="main login" id="content">
      <h1>{words.title.login}</h1>
      <Panel title={words.title.login}>
        <div class="stack-tight">
          {isOver ? <Message tone="warn">{words.login.over}</Message> : null}
          <ProblemText text={why === null ? null : (words.login.refused[why] ?? words.login.refused.provider!)} />
          <a class="button button-primary" href={`console/oidc/login?to=${encodeURIComponent(to)}`}>
            {words.login.with(provider)}
          </a>
        </div>
      </Panel>
    </main>
  );
}
