import type { RingNode } from '../node/ring-node.js';
import type { ResolvedOptions } from '../node/ring-options.js';

/** The part of a node or a client that calls on jobs and runs need. */
export interface ServiceNode
  extends Pick<
    RingNode,
    'owner' | 'store' | 'time' | 'clock' | 'emitter' | 'flowEnds' | 'counters' | 'isStopping' | 'tracing'
  > {
  readonly options: Pick<ResolvedOptions, 'nodeId' | 'zone' | 'maxParamsBytes' | 'preReadMs' | 'misfireMs'>;
}
