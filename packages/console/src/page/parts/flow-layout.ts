/** A step with the steps before it. */
export interface GraphStep {
  readonly name: string;
  readonly after: readonly string[];
}

/** Where a step is drawn. */
export interface Placed<Step> {
  readonly step: Step;
  readonly x: number;
  readonly y: number;
}

export interface FlowLayout<Step> {
  readonly nodes: readonly Placed<Step>[];
  readonly edges: readonly { readonly from: Placed<Step>; readonly to: Placed<Step> }[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 168, height: 48 } as const;
const GAP = { x: 48, y: 16 } as const;

/**
 * Columns from left to right: a step stands right of everything that comes before it. Steps come in an order in which none is before what
 * it waits for, or else a step that names a later one stands as if it did not.
 */
export function layOutFlow<Step extends GraphStep>(steps: readonly Step[]): FlowLayout<Step> {
  const columns = new Map<string, number>();
  const rows: number[] = [];
  const placed = new Map<string, Placed<Step>>();
  for (const step of steps) {
    const column = Math.max(0, ...step.after.map((name) => (columns.get(name) ?? -1) + 1));
    const row = rows[column] ?? 0;
    rows[column] = row + 1;
    columns.set(step.name, column);
    placed.set(step.name, { step, x: column * (NODE.width + GAP.x), y: row * (NODE.height + GAP.y) });
  }
  const nodes = [...placed.values()];
  const edges = nodes.flatMap((to) =>
    to.step.after.flatMap((name) => {
      const from = placed.get(name);
      return from === undefined ? [] : [{ from, to }];
    }),
  );
  const deepest = Math.max(1, ...Array.from(rows, (count) => count ?? 0));
  return {
    ...{ nodes, edges },
    width: Math.max(1, rows.length) * (NODE.width + GAP.x) - GAP.x,
    height: deepest * (NODE.height + GAP.y) - GAP.y,
  };
}
