export { axeFindings } from './axe-findings.js';
export { openBrowser } from './open-browser.js';
