import type { RingNode } from '../node/ring-node.js';
import type { ResolvedOptions } from '../node/ring-options.js';

/** What the calls on jobs and runs need of the node, or the client, that they are made on. */
export interface ServiceNode
  extends Pick<
    RingNode,
    'owner' | 'store' | 'time' | 'clock' | 'emitter' | 'flowEnds' | 'counters' | 'isStopping' | 'tracing'
  > {
  readonly options: Pick<ResolvedOptions, 'nodeId' | 'zone' | 'maxParamsBytes' | 'preReadMs' | 'misfireMs'>;
}
