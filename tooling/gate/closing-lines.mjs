/**
 * The end of the gate's output. The test step counts its tests, every other step counts as one check; a test step that left
 * no summary has failed, and so has one that ran nothing.
 */
export function closingLines(outcomes, summary) {
  const lines = [''];
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for (const { name, code } of outcomes) {
    if (name === 'tests' && summary !== null) {
      passed += summary.passed;
      failed += summary.failed;
      skipped += summary.skipped.length;
      // Unhandled errors and type errors fail the run without failing a test.
      if (summary.passed === 0 || (code !== 0 && summary.failed === 0)) failed += 1;
      lines.push(...skippedLines(summary.skipped));
    } else if (code === 0 && name !== 'tests') passed += 1;
    else failed += 1;
    if (code !== 0) lines.push(`[horae] failed: ${name}`);
  }
  lines.push(
    skipped === 0 ? `${passed} passed, ${failed} failed` : `${passed} passed, ${failed} failed, ${skipped} skipped`,
  );
  return { lines, failed: failed > 0 };
}

/** One line per reason: a missing server skips a hundred tests for the same one. */
function skippedLines(skipped) {
  const byReason = new Map();
  for (const { test, reason } of skipped) byReason.set(reason, [...(byReason.get(reason) ?? []), test]);
  return [...byReason].map(([reason, tests]) =>
    tests.length === 1
      ? `[horae] skipped: ${tests[0]}: ${reason}`
      : `[horae] skipped: ${tests.length} tests, such as ${tests[0]}: ${reason}`,
  );
}
