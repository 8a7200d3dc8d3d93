// Runs on worker threads: every task writes into the shared memory and tells what it saw there.
export default async function execute(task, shared) {
  const cells = new Int32Array(shared);
  if (task.scope.id === 'fail') throw new RangeError(`task ${task.index} fails`);
  if (task.scope.id === 'exit') process.exit(3);
  if (task.scope.id === 'uncloneable') return () => {};
  const before = Atomics.add(cells, 0, 1);
  if (task.compactRule % 2 === 0) await new Promise((done) => queueMicrotask(done));
  return { index: task.index, wave: task.wave, rule: task.compactRule, ruleId: task.ruleId, inWaveOrder: before >= 0 };
}
