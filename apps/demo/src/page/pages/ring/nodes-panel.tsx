import { Badge, Button, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import type { RingNodeView, RingSnapshot } from '../../../wire/ring.js';
import { tell } from '../../live/ask-server.js';

/** The processes that share the ring, and the executors of this one. */
export function NodesPanel({ ring }: { ring: RingSnapshot }) {
  const own = ring.executors.filter(({ isOwn }) => isOwn);
  return (
    <Panel
      title="Nodes"
      actions={
        <Button small onClick={() => attempt(() => tell('ring/nodes/add'))}>
          Add a node
        </Button>
      }
    >
      <div class="stack">
        <ul class="nodes">
          {ring.nodes.map((node) => (
            <Node key={node.name} node={node} />
          ))}
        </ul>
        <div class="stack-tight">
          <div class="row">
            <h3>Executors here</h3>
            <Button small onClick={() => attempt(() => tell('ring/executors/add'))}>
              Add
            </Button>
          </div>
          <ul class="nodes">
            {own.length === 0 ? <li class="soft small">Nobody: runs fail until somebody comes.</li> : null}
            {own.map(({ address }) => (
              <li key={address}>
                <code class="small">{address}</code>
                <Button
                  small
                  aria-label={`Send away ${address}`}
                  onClick={() => attempt(() => tell('ring/executors/remove', { address }))}
                >
                  Send away
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  );
}

function Node({ node }: { node: RingNodeView }) {
  const end = (how: 'stop' | 'kill') => () => attempt(() => tell('ring/nodes/end', { name: node.name, how }));
  return (
    <li data-node={node.name}>
      <span>
        <strong class="small">{node.name}</strong>{' '}
        <Badge tone={node.status === 'ok' ? 'good' : 'warn'}>{node.status}</Badge>
        <div class="soft tiny number">
          process {node.pid}
          {node.kind === 'here' ? ', serves this page' : ''}
        </div>
      </span>
      {node.kind === 'here' ? (
        <Button small disabled={node.status !== 'ok'} onClick={() => attempt(() => tell('ring/rest'))}>
          Rest for 14 s
        </Button>
      ) : (
        <span class="row">
          <Button small aria-label={`Stop ${node.name}`} onClick={end('stop')}>
            Stop
          </Button>
          <Button small kind="danger" aria-label={`Kill ${node.name}`} onClick={end('kill')}>
            Kill
          </Button>
        </span>
      )}
    </li>
  );
}
