import { Badge, Button, Empty, Field, Message, Panel } from '@horae-tooling/design/parts';
import { attempt, say } from '@horae-tooling/design/toasts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Grant, type Role, roles, type TokenView, type UserView } from '../../wire/accounts.js';
import { Choice, Loading, ProblemText, SureButton, TableArea, TableHead } from '../parts/common.jsx';
import { TextField } from '../parts/text-field.jsx';
import { When } from '../parts/when.jsx';
import { change, session } from '../talk/api.js';
import { problemOf, useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

/** Access: people with passwords, and programs with tokens. */
export function UsersPage() {
  const words = useWords();
  const now = session.use();
  // Where another system identifies people, only programs are managed here.
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
      <TableHead texts={[words.name, words.users.role, words.jobs.group, words.users.lastLogin]} hasActions />
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

interface GrantDraft {
  readonly name: string;
  readonly role: Role;
  readonly groups: string;
}

const emptyGrant: GrantDraft = { name: '', role: 'viewer', groups: '' };

/** A form for a new user or token: a name, a role, groups, and further fields. */
function NewGrant(props: {
  title: string;
  /** Throws the fault. */
  onAdd: (grant: { name: string } & Grant) => Promise<void>;
  /** Fields between the name and the role. */
  fields?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const words = useWords();
  const options = useRoleOptions();
  const [draft, setDraft] = useState(emptyGrant);
  const [problem, setProblem] = useState<string | null>(null);
  const set = (changed: Partial<GrantDraft>) => setDraft({ ...draft, ...changed });
  const add = async () => {
    try {
      await props.onAdd({ ...draft, groups: groupsOf(draft.groups) });
      setDraft(emptyGrant);
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <details>
      <summary>{props.title}</summary>
      <div class="job-fields">
        <TextField label={words.name} autocomplete="off" value={draft.name} onText={(name) => set({ name })} />
        {props.fields}
        <Field label={words.users.role}>
          <Choice value={draft.role} options={options} onChange={(role) => set({ role })} />
        </Field>
        <TextField label={words.users.groups} value={draft.groups} onText={(groups) => set({ groups })} />
        <Button kind="primary" onClick={add}>
          {words.add}
        </Button>
      </div>
      <ProblemText text={problem} />
      {props.children}
    </details>
  );
}

function NewUser({ again }: { again: () => void }) {
  const words = useWords();
  const [password, setPassword] = useState('');
  const add = async (grant: { name: string } & Grant) => {
    await change('POST', 'console/users', { ...grant, password });
    say(words.users.added(grant.name));
    setPassword('');
    again();
  };
  return (
    <NewGrant
      title={words.users.newUser}
      onAdd={add}
      fields={
        <TextField
          label={words.login.password}
          type="password"
          autocomplete="new-password"
          value={password}
          onText={setPassword}
        />
      }
    />
  );
}

function TokenTable({ tokens, again }: { tokens: readonly TokenView[]; again: () => void }) {
  const words = useWords();
  return (
    <TableArea label={words.users.tokens}>
      <TableHead
        texts={[words.name, words.users.role, words.jobs.group, words.users.createdBy, words.users.lastUsed]}
        hasActions
      />
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
  const [secret, setSecret] = useState<string | null>(null);
  const add = async (grant: { name: string } & Grant) => {
    setSecret((await change<{ secret: string }>('POST', 'console/tokens', grant)).secret);
    again();
  };
  return (
    <NewGrant title={words.users.newToken} onAdd={add}>
      {secret === null ? null : (
        <div role="status">
          <Message tone="good">
            {words.users.secret} <code data-testid="secret">{secret}</code>
          </Message>
        </div>
      )}
    </NewGrant>
  );
}
