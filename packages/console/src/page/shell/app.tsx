import { BrandSign } from '@horae-tooling/design/brand';
import { Button } from '@horae-tooling/design/parts';
import { applyTheme, type ThemeChoice, themeChoice } from '@horae-tooling/design/theme';
import { Toasts } from '@horae-tooling/design/toasts';
import { useEffect, useState } from 'preact/hooks';
import { Choice, Loading } from '../parts/common.jsx';
import { chooseZone, useZoneChoice } from '../parts/when.jsx';
import { about, loadAbout } from '../talk/about.js';
import { useAddress } from '../talk/address.js';
import { change, loadSession, session } from '../talk/api.js';
import { closeLive, connection, connectLive } from '../talk/live.js';
import { useIsFullAdmin } from '../talk/rights.js';
import { languages, setLanguage, useLanguage, useWords } from '../words/language.js';
import { LoginPage, ProviderLogin } from './login-page.jsx';
import { type PageName, pageFor, pageNames } from './pages.jsx';

/** The login, or the page that the address names with everything around it. */
export function App() {
  const now = session.use();
  const address = useAddress();
  const isIn = now?.kind === 'in';
  useEffect(() => {
    if (!isIn) return closeLive();
    void loadAbout();
    connectLive();
  }, [isIn]);
  useEffect(() => {
    if (now !== null) document.title = now.title;
  }, [now]);
  if (now === null) return <Loading />;
  if (now.kind === 'out') {
    return (
      <div class="login-shell">
        {now.provider === null ? (
          <LoginPage
            hasUsers={now.hasUsers}
            invitation={address.path === 'first-admin' ? address.query.get('invitation') : null}
          />
        ) : (
          <ProviderLogin provider={now.provider} address={address} />
        )}
        <footer class="row login-foot">
          <LanguageChoice />
          <ThemeField />
        </footer>
      </div>
    );
  }
  return <Inside />;
}

function Inside() {
  const words = useWords();
  const address = useAddress();
  const known = about.use();
  const now = session.use();
  const { Page, title, name } = pageFor(address, words);
  useEffect(() => {
    scrollTo(0, 0);
    // Screen readers announce the new page; nothing is visible.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [address.path]);
  if (now?.kind !== 'in') return null;
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {words.skip}
      </button>
      <header class="side-column">
        <div class="side">
          <a class="brand" href="#/">
            <BrandSign />
            {now.title}
          </a>
          <Navigation current={name} />
          <Foot userName={now.name} canLogOut={now.canLogOut} />
        </div>
      </header>
      <div>
        <Lost />
        {now.isReadOnly ? (
          <div class="lost" role="status">
            {words.readOnly}
          </div>
        ) : null}
        <main class="main" id="content" tabIndex={-1}>
          <div class="page-head">
            <h1 tabIndex={-1}>{title}</h1>
          </div>
          {known === null ? <Loading /> : <Page key={address.path} address={address} />}
        </main>
      </div>
      <Toasts />
    </div>
  );
}

function Navigation({ current }: { current: PageName }) {
  const words = useWords();
  const isFullAdmin = useIsFullAdmin();
  const isShown = (name: PageName) => isFullAdmin || (name !== 'users' && name !== 'audit');
  return (
    <nav class="nav" aria-label={words.pages}>
      {pageNames.filter(isShown).map((name) => (
        <a
          key={name}
          href={`#/${name === 'overview' ? '' : name}`}
          aria-current={name === current ? 'page' : undefined}
        >
          {words.title[name]}
        </a>
      ))}
    </nav>
  );
}

function Foot({ userName, canLogOut }: { userName: string; canLogOut: boolean }) {
  const words = useWords();
  const state = connection.use();
  const zone = useZoneChoice();
  const logOut = async () => {
    const away = await change<{ logoutAt?: string } | null>('DELETE', 'console/session');
    if (away?.logoutAt !== undefined) return location.assign(away.logoutAt);
    await loadSession();
  };
  return (
    <div class="side-foot">
      <span class={`badge ${state === 'live' ? 'badge-good pulse' : 'badge-warn'}`} data-testid="connection">
        {state === 'live' ? words.live : words.connecting}
      </span>
      <span class="only-wide" data-testid="who">
        {userName}
      </span>
      <span class="only-wide">
        <Choice
          label={words.times}
          value={zone}
          options={[
            ['mine', words.myZone],
            ['ring', words.ringZone],
          ]}
          onChange={chooseZone}
        />
      </span>
      <LanguageChoice />
      <ThemeField />
      {canLogOut ? (
        <Button small onClick={logOut}>
          {words.login.out}
        </Button>
      ) : null}
    </div>
  );
}

function LanguageChoice() {
  const words = useWords();
  return (
    <Choice
      label={words.language}
      value={useLanguage()}
      options={Object.entries(languages) as [keyof typeof languages, string][]}
      onChange={setLanguage}
    />
  );
}

function ThemeField() {
  const words = useWords();
  const [choice, setChoice] = useState<ThemeChoice>(themeChoice);
  const choose = (next: ThemeChoice) => {
    setChoice(next);
    applyTheme(next);
  };
  return (
    <Choice
      label={words.theme}
      value={choice}
      options={[
        ['system', words.systemTheme],
        ['light', words.light],
        ['dark', words.dark],
      ]}
      onChange={choose}
    />
  );
}

function Lost() {
  const words = useWords();
  if (connection.use() !== 'lost') return null;
  return (
    <div class="lost" role="alert">
      {words.lost}
    </div>
  );
}
