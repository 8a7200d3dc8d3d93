import type { Flow, FlowInput } from '../model/flow.js';
import type { HandlerRing } from '../model/handler.js';

/** What an executor can ask of its ring for the handlers of all its runs. */
export interface ExecutorRing {
  readonly jobs: HandlerRing['jobs'];
  readonly flows: { start(flow: FlowInput, options: { fromRun: number }): Promise<Flow> };
}

/** The part that the handler of one run sees: flows that it starts know that they come from it. */
export function ringOfRun({ jobs, flows }: ExecutorRing, runId: number): HandlerRing {
  return { jobs, flows: { start: (flow) => flows.start(flow, { fromRun: runId }) } };
}
