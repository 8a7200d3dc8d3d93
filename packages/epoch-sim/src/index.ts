export { type ActionColumns, type EventColumns, simulateColumns } from './engine/simulate-columns.js';
export { verifyLog } from './epoch/log-chain.js';
export { runEpoch, runEpochs } from './epoch/run-epoch.js';
export type { Estimate } from './experiment/estimates.js';
export { type ReplicateOptions, type Replication, replicate } from './experiment/replicate.js';
export { type SweepPoint, sweep } from './experiment/sweep.js';
export { type AudioChannel, audioFileName } from './interchange/audio-file-name.js';
export type { Distribution } from './interchange/distribution.js';
export { effectiveDuration } from './interchange/effective-duration.js';
export type {
  Arrival,
  Cancellation,
  Instant,
  LockDef,
  LockNeed,
  Outage,
  RepairAction,
} from './interchange/happenings.js';
export type { EndedAction, FollowUp, Hook, HookName, Hooks, ToldAction } from './interchange/hooks.js';
export type {
  ActionDef,
  ActionInstance,
  CarriedAction,
  CarryOver,
  Effort,
  Epoch,
  EpochInput,
  EpochResult,
  EventType,
  IgnoredInterrupt,
  Interrupt,
  LockState,
  LogRecord,
  Modifier,
  Noise,
  Rejection,
  RejectionCode,
  ResourceNeed,
  ScheduleEvent,
  StateView,
  Stock,
  Visibility,
  WaitRecord,
} from './interchange/interchange.js';
export type { EpochOptions } from './interchange/options.js';
export {
  InvalidAnnotation,
  InvalidChannel,
  InvalidColumns,
  InvalidDuration,
  InvalidEpoch,
  InvalidHookResult,
  InvalidModifier,
  InvalidScenario,
  InvalidSkill,
  InvalidSnapshot,
  InvalidTimestamp,
  type ScenarioFault,
} from './interchange/sim-errors.js';
export { barsCsv, eventsCsv, figuresCsv } from './report/csv.js';
export { explainWait, type WaitExplanation, type WaitLink } from './report/explain-wait.js';
export { formatTimeline } from './report/format-timeline.js';
export type { LockFigures } from './report/lock-figures.js';
export type { ResultSource } from './report/original-results.js';
export { queueLengths } from './report/queue-lengths.js';
export { type GanttOptions, renderGantt } from './report/render-gantt.js';
export { type ReportOptions, renderReport } from './report/render-report.js';
export type { Spread } from './report/spread.js';
export type { StockFigures } from './report/stock-figures.js';
export { type Summary, type SummaryOptions, summarize } from './report/summarize.js';
export type { VerbFigures } from './report/verb-figures.js';
export { loadScenario, type Scenario } from './scenario/load-scenario.js';
export { runScenario } from './scenario/run-scenario.js';
export type { EventDiff } from './simulation/diff-events.js';
export { createSimulation, type RunPredicate, restoreSimulation, type Simulation } from './simulation/simulation.js';
export type { JsonSnapshot } from './snapshot/snapshot.js';
