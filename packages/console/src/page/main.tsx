import '@horae-tooling/design/known-language';
import '@horae-tooling/design/fonts.css';
import '@horae-tooling/design/tokens.css';
import '@horae-tooling/design/base.css';
import '@horae-tooling/design/parts.css';
import '@horae-tooling/design/shell.css';
import './console.css';
import '@horae-tooling/design/calm.css';
import { applyTheme } from '@horae-tooling/design/theme';
import { render } from 'preact';
import { App } from './shell/app.jsx';
import { loadSession } from './talk/api.js';

const AGAIN_MS = 2_000;

/** Requests to a server that is just starting are repeated. */
function begin(): void {
  loadSession().catch(() => setTimeout(begin, AGAIN_MS));
}

applyTheme();
begin();
render(<App />, document.getElementById('app')!);
