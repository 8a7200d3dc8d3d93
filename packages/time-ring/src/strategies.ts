// The words of jobs and runs as lists, without the engine: for forms, checks and help texts.
export { alertCauses, webhookFormats } from './model/alert.js';
export { blockStrategies, misfireStrategies, routeStrategies } from './model/job.js';
export { runStates, triggerTypes, waitingReasons } from './model/run.js';
