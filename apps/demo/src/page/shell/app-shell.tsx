import { BrandSign } from '@horae-tooling/design/brand';
import { applyTheme, type ThemeChoice, themeChoice } from '@horae-tooling/design/theme';
import { clockTime } from '@horae-tooling/design/times';
import { Toasts } from '@horae-tooling/design/toasts';
import { useEffect, useState } from 'preact/hooks';
import { useConnection, useHello, useNow } from '../live/live-store.js';
import { pages } from './pages.js';

function currentPath(): string {
  return location.hash.replace(/^#\/?/, '').split('?')[0] ?? '';
}

/** Navigation, connection, theme, and the page that the address names. */
export function AppShell() {
  const [path, setPath] = useState(currentPath);
  useEffect(() => {
    const follow = () => {
      setPath(currentPath());
      scrollTo(0, 0);
      // Screen readers announce the new page; nothing is visible.
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const entry = pages.find((page) => page.path === path) ?? pages[0]!;
  useEffect(() => {
    document.title = entry.path === '' ? 'Horae' : `${entry.title} · Horae`;
  }, [entry]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to content
      </button>
      <header class="side-column">
        <div class="side">
          <Brand />
          <Navigation current={entry.path} />
          <Foot />
        </div>
      </header>
      <div>
        <Lost />
        <main class="main" id="content" tabIndex={-1}>
          <div class="page-head">
            <h1 tabIndex={-1}>{entry.title}</h1>
            <p>{entry.about}</p>
          </div>
          <entry.Page key={entry.path} />
        </main>
      </div>
      <Toasts />
    </div>
  );
}

function Brand() {
  return (
    <a class="brand" href="#/">
      <BrandSign />
      Horae
    </a>
  );
}

function Navigation(props: { current: string }) {
  return (
    <nav class="nav" aria-label="Pages">
      {pages.map(({ path, title, hue }) => (
        <a key={path} href={`#/${path}`} aria-current={path === props.current ? 'page' : undefined}>
          <span class={`dot hue-${hue}`} aria-hidden="true" />
          {title}
        </a>
      ))}
    </nav>
  );
}

function Foot() {
  const hello = useHello();
  const connection = useConnection();
  const now = useNow();
  const [choice, setChoice] = useState<ThemeChoice>(themeChoice);
  const choose = (next: ThemeChoice) => {
    setChoice(next);
    applyTheme(next);
  };
  return (
    <div class="side-foot">
      <span class={`badge ${connection === 'live' ? 'badge-good pulse' : 'badge-warn'}`} data-testid="connection">
        {connection === 'live' ? 'live' : connection === 'lost' ? 'reconnecting' : 'connecting'}
      </span>
      <span class="soft only-wide number">
        {clockTime(now, hello?.zone)} {hello?.zone ?? ''}
        <br />
        {hello?.node ?? ''}
        {hello?.role === 'standby' ? ', standing by' : ''}
      </span>
      <label>
        <span class="sr-only">Theme</span>
        <select
          class="input button-small"
          value={choice}
          onChange={(event) => choose(event.currentTarget.value as ThemeChoice)}
        >
          <option value="system">System theme</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
    </div>
  );
}

function Lost() {
  const connection = useConnection();
  if (connection !== 'lost') return null;
  return (
    <div class="lost" role="alert">
      The server does not answer. What you see is what was; the page goes on by itself when it is back.
    </div>
  );
}
