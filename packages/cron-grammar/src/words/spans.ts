/** A value, or a run of three and more values as its first and last. A run may go round the end of its field: Friday to Monday. */
export type Span = number | readonly [first: number, last: number];

/** Values in their order, or as a first, a last and the step between them. */
export type Values =
  | { readonly kind: 'spans'; readonly spans: readonly Span[]; readonly count: number }
  | { readonly kind: 'steps'; readonly first: number; readonly last: number; readonly step: number };

/** From this many values on, equal steps are worded as steps. */
const MIN_STEPS = 5;

/** Sorted values as a person would say them. */
export function valuesOf(values: readonly number[], first: number, last: number): Values {
  const step = values.length < MIN_STEPS ? 0 : values[1]! - values[0]!;
  if (step > 1 && values.every((value, index) => value === values[0]! + index * step)) {
    return { kind: 'steps', first: values[0]!, last: values[values.length - 1]!, step };
  }
  return { kind: 'spans', spans: spansOf(values, first, last), count: values.length };
}

/** Runs of three and more as pairs, the rest one by one. A run that reaches the end of the field goes on at its start. */
export function spansOf(values: readonly number[], first: number, last: number): Span[] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const run = runs[runs.length - 1];
    if (run !== undefined && run[1] === value - 1) run[1] = value;
    else runs.push([value, value]);
  }
  const [head, tail] = [runs[0]!, runs[runs.length - 1]!];
  // Two values at the two ends are two values; three and more are a run.
  const around = runs.length > 1 && head[0] === first && tail[1] === last && head[1] - first + last - tail[0] > 0;
  if (around) {
    runs.shift();
    tail[1] = head[1];
  }
  const size = last - first + 1;
  return runs.flatMap(([from, to]): Span[] => {
    const length = (to - from + size) % size;
    if (length >= 2) return [[from, to]];
    return length === 0 ? [from] : [from, to];
  });
}

/** The one value, or null when there are several. */
export function single(values: Values): number | null {
  if (values.kind === 'steps' || values.spans.length !== 1) return null;
  const [span] = values.spans;
  return typeof span === 'number' ? span : null;
}
