// When a job is due and where it goes, by itself, without a scheduler around it.
export { choosePool } from './schedule/choose-pool.js';
export { classifyDue } from './schedule/classify-due.js';
