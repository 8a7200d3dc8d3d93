/** A node of the ring, as the API returns it. */
export interface NodeView {
  readonly nodeId: string;
  readonly beatAt: number;
  readonly isAlive: boolean;
}

/** The state of a node: one that has left the ring is `gone`. */
export type ShownNode = Pick<NodeView, 'nodeId' | 'beatAt'> & { readonly standing: 'alive' | 'silent' | 'gone' };

const MAX_GONE = 8;

/** The present nodes, and those that were present at the page's last reading: a lost one leaves the ring soon, and must not go unseen. */
export function withGone(before: readonly ShownNode[], nodes: readonly NodeView[]): readonly ShownNode[] {
  const here = new Set(nodes.map(({ nodeId }) => nodeId));
  const gone = before
    .filter(({ nodeId }) => !here.has(nodeId))
    .sort((a, b) => b.beatAt - a.beatAt)
    .slice(0, MAX_GONE)
    .map(({ nodeId, beatAt }): ShownNode => ({ nodeId, beatAt, standing: 'gone' }));
  const shown = nodes.map(
    ({ nodeId, beatAt, isAlive }): ShownNode => ({ nodeId, beatAt, standing: isAlive ? 'alive' : 'silent' }),
  );
  return [...shown, ...gone];
}
