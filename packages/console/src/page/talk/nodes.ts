import { useEffect } from 'preact/hooks';
import { createStore } from '../words/store.js';
import { useLookForLost } from './live.js';
import { type NodeView, type ShownNode, withGone } from './seen-nodes.js';
import { useAsk } from './use-ask.js';

const seen = createStore<readonly ShownNode[]>([]);

/** The nodes of the ring, with those that have left it. */
export function useNodes(mayLook: boolean): readonly ShownNode[] {
  const { data, again } = useAsk<{ nodes: readonly NodeView[] }>(mayLook ? 'admin/nodes' : null);
  useLookForLost(again);
  useEffect(() => {
    if (data !== null) seen.set(withGone(seen.get(), data.nodes));
  }, [data]);
  const shown = seen.use();
  return mayLook ? shown : [];
}
