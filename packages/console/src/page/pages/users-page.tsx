import { Badge, Button, Empty, Field, Message, Panel } from '@horae-tooling/design/parts';
import { attempt, say } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import { type Grant, type Role, roles, type TokenView, type UserView } from '../../wire/accounts.js';
import { Choice, Loading, ProblemText, SureButton, TableArea } from '../parts/common.jsx';
import { When } from '../parts/when.jsx';
import { change, session } from '../talk/api.js';
import { problemOf, useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

/** Who may what: people with passwords, and programs with tokens. */
export function UsersPage() {
  const words = useWords();
  const now = session.use();
  // Where somebody else knows who people are, only programs are managed here.
  const isOwn = now?.kind === 'in' && now.hasPassword;
  const users = useAsk<{ users: readonly UserView[] }>('console/users');
  const tokens = useAsk<{ tokens: readonly TokenView[] }>('console/tokens');
  if (users.data === null || tokens.data === null)
    return users.problem === null ? <Loading /> : <ProblemText text={users.problem} />;
  return (
    <div class="stack">
      {isOwn ? (
        <Panel title={words.users.users}>
          <UserTable users={users.data.users} again={users.again} />
          <NewUser again={users.again} />
        </Panel>
      ) : null}
      <Panel title={words.users.tokens}>
        {tokens.data.tokens.length === 0 ? (
          <Empty>{words.users.noTokens}</Empty>
        ) : (
          <TokenTable tokens={tokens.data.tokens} again={tokens.again} />
        )}
        <NewToken again={tokens.again} />
      </Panel>
    </div>
  );
}

function useRoleOptions(): readonly (readonly [Role, string])[] {
  const words = useWords();
  return roles.map((role) => [role, words.users.roles[role] ?? role]);
}

function groupText({ groups }: Grant, allGroups: string): string {
  return groups === null ? allGroups : groups.join(', ');
}

function groupsOf(text: string): string[] | null {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? null : names;
}

function UserTable({ users, again }: { users: readonly UserView[]; again: () => void }) {
  const words = useWords();
  const options = useRoleOptions();
  const act = (work: () => Promise<unknown>) => async () => {
    await attempt(work);
    again();
  };
  const path = (name: string) => `console/users/${encodeURIComponent(name)}`;
  return (
    <TableArea label={words.users.users}>
      <thead>
        <tr>
          {[words.name, words.users.role, words.jobs.group, words.users.lastLogin].map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.name} data-user={user.name}>
            <td>
              {user.name} {user.isDisabled ? <Badge tone="warn">{words.users.disabled}</Badge> : null}
            </td>
            <td>
              <Choice
                value={user.role}
                options={options}
                label={words.users.setRole(user.name)}
                onChange={(role) => void act(() => change('PATCH', path(user.name), { role }))()}
              />
            </td>
            <td>{groupText(user, words.users.allGroups)}</td>
            <td>
              <When at={user.lastLoginAt} otherwise={words.never} />
            </td>
            <td class="row">
              <Button small onClick={act(() => change('PATCH', path(user.name), { isDisabled: !user.isDisabled }))}>
                {user.isDisabled ? words.users.enable : words.users.disable}
              </Button>
              <SureButton
                label={words.remove}
                describe={`${words.remove} ${user.name}`}
                onSure={act(() => change('DELETE', path(user.name)))}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

function NewUser({ again }: { again: () => void }) {
  const words = useWords();
  const options = useRoleOptions();
  const [draft, setDraft] = useState({ ...{ name: '', password: '', groups: '' }, role: 'viewer' as Role });
  const [problem, setProblem] = useState<string | null>(null);
  const add = async () => {
    try {
      await change('POST', 'console/users', { ...draft, groups: groupsOf(draft.groups) });
      say(words.users.added(draft.name));
      setDraft({ ...{ name: '', password: '', groups: '' }, role: 'viewer' });
      setProblem(null);
      again();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <details>
      <summary>{words.users.newUser}</summary>
      <div class="job-fields">
        <Field label={words.name}>
          <input
            class="input"
            autocomplete="off"
            value={draft.name}
            onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.login.password}>
          <input
            class="input"
            type="password"
            autocomplete="new-password"
            value={draft.password}
            onInput={(event) => setDraft({ ...draft, password: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.users.role}>
          <Choice value={draft.role} options={options} onChange={(role) => setDraft({ ...draft, role })} />
        </Field>
        <Field label={words.users.groups}>
          <input
            class="input"
            value={draft.groups}
            onInput={(event) => setDraft({ ...draft, groups: event.currentTarget.value })}
          />
        </Field>
        <Button kind="primary" onClick={add}>
          {words.add}
        </Button>
      </div>
      <ProblemText text={problem} />
    </details>
  );
}

function TokenTable({ tokens, again }: { tokens: readonly TokenView[]; again: () => void }) {
  const words = useWords();
  return (
    <TableArea label={words.users.tokens}>
      <thead>
        <tr>
          {[words.name, words.users.role, words.jobs.group, words.users.createdBy, words.users.lastUsed].map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id} data-token={token.name}>
            <td>{token.name}</td>
            <td>{words.users.roles[token.role]}</td>
            <td>{groupText(token, words.users.allGroups)}</td>
            <td>{token.createdBy}</td>
            <td>
              <When at={token.lastUsedAt} otherwise={words.never} />
            </td>
            <td>
              {token.revokedAt === null ? (
                <SureButton
                  label={words.users.revoke}
                  describe={`${words.users.revoke} ${token.name}`}
                  onSure={async () => {
                    await attempt(() => change('DELETE', `console/tokens/${token.id}`));
                    again();
                  }}
                />
              ) : (
                <Badge tone="warn">{words.users.revoked}</Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

function NewToken({ again }: { again: () => void }) {
  const words = useWords();
  const options = useRoleOptions();
  const [draft, setDraft] = useState({ ...{ name: '', groups: '' }, role: 'viewer' as Role });
  const [secret, setSecret] = useState<string | null>(null);
  const add = () =>
    attempt(async () => {
      const made = await change<{ secret: string }>('POST', 'console/tokens', {
        ...draft,
        groups: groupsOf(draft.groups),
      });
      setSecret(made.secret);
      setDraft({ ...draft, name: '' });
      again();
    });
  return (
    <details>
      <summary>{words.users.newToken}</summary>
      <div class="job-fields">
        <Field label={words.name}>
          <input
            class="input"
            value={draft.name}
            onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.users.role}>
          <Choice value={draft.role} options={options} onChange={(role) => setDraft({ ...draft, role })} />
        </Field>
        <Field label={words.users.groups}>
          <input
            class="input"
            value={draft.groups}
            onInput={(event) => setDraft({ ...draft, groups: event.currentTarget.value })}
          />
        </Field>
        <Button kind="primary" onClick={add}>
          {words.add}
        </Button>
      </div>
      {secret === null ? null : (
        <div role="status">
          <Message tone="good">
            {words.users.secret} <code data-testid="secret">{secret}</code>
          </Message>
        </div>
      )}
    </details>
  );
}
