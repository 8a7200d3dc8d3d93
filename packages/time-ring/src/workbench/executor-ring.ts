import type { Flow, FlowInput } from '../model/flow.js';
import type { HandlerRing } from '../model/handler.js';

/** The part of its ring that an executor makes available to the handlers of all its runs. */
export interface ExecutorRing {
  readonly jobs: HandlerRing['jobs'];
  readonly flows: { start(flow: FlowInput, options: { fromRun: number }): Promise<Flow> };
}

/** The part available to the handler of one run: flows that it starts record that run as their origin. */
export function ringOfRun({ jobs, flows }: ExecutorRing, runId: number): HandlerRing {
  return { jobs, flows: { start: (flow) => flows.start(flow, { fromRun: runId }) } };
}
