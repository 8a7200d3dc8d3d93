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
      for (const { test, reason } of summary.skipped) lines.push(`[horae] skipped: ${test}: ${reason}`);
    } else if (code === 0 && name !== 'tests') passed += 1;
    else failed += 1;
    if (code !== 0) lines.push(`[horae] failed: ${name}`);
  }
  lines.push(
    skipped === 0 ? `${passed} passed, ${failed} failed` : `${passed} passed, ${failed} failed, ${skipped} skipped`,
  );
  return { lines, failed: failed > 0 };
}
