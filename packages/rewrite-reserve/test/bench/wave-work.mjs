// A few microseconds of honest work per rewrite, written into the rewrite's own cell of the shared memory.
export default function work(task, shared) {
  const cells = new Int32Array(shared);
  let value = task.compactRule;
  for (let step = 0; step < 20_000; step++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  cells[task.index] = value;
  return value;
}
