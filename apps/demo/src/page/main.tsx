import '@horae-tooling/design/known-language';
import '@horae-tooling/design/fonts.css';
import 'uplot/dist/uPlot.min.css';
import '@horae-tooling/design/tokens.css';
import '@horae-tooling/design/base.css';
import '@horae-tooling/design/parts.css';
import '@horae-tooling/design/shell.css';
import '@horae-tooling/design/calm.css';
import { applyTheme } from '@horae-tooling/design/theme';
import { render } from 'preact';
import { connect } from './live/live-store.js';
import { AppShell } from './shell/app-shell.jsx';

applyTheme();
connect();
render(<AppShell />, document.getElementById('app')!);
