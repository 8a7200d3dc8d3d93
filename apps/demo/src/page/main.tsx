import './design/known-language.js';
import './design/fonts.css';
import 'uplot/dist/uPlot.min.css';
import './design/tokens.css';
import './design/base.css';
import './design/parts.css';
import './shell/shell.css';
import './design/calm.css';
import { render } from 'preact';
import { connect } from './live/live-store.js';
import { AppShell } from './shell/app-shell.jsx';
import { applyTheme } from './shell/theme.js';

applyTheme();
connect();
render(<AppShell />, document.getElementById('app')!);
