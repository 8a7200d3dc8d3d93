export { type AudioChannel, audioFileName } from './audio-file-name.js';
export type { EventDiff } from './diff-events.js';
export { effectiveDuration } from './effective-duration.js';
export { explainWait, type WaitExplanation, type WaitLink } from './explain-wait.js';
export { formatTimeline } from './format-timeline.js';
export type {
  ActionDef,
  ActionInstance,
  CarriedAction,
  CarryOver,
  Effort,
  EndedAction,
  Epoch,
  EpochInput,
  EpochOptions,
  EpochResult,
  EventType,
  FollowUp,
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
} from './interchange.js';
export { loadScenario, type Scenario } from './load-scenario.js';
export { verifyLog } from './log-chain.js';
export { type GanttOptions, renderGantt } from './render-gantt.js';
export { runEpoch, runEpochs } from './run-epoch.js';
export { runScenario } from './run-scenario.js';
export {
  InvalidAnnotation,
  InvalidChannel,
  InvalidColumns,
  InvalidDuration,
  InvalidEpoch,
  InvalidModifier,
  InvalidScenario,
  InvalidSkill,
  InvalidSnapshot,
  type ScenarioFault,
} from './sim-errors.js';
export { type ActionColumns, type EventColumns, simulateColumns } from './simulate-columns.js';
export { createSimulation, type RunPredicate, restoreSimulation, type Simulation } from './simulation.js';
export type { JsonSnapshot } from './snapshot.js';
