import { writeFileSync } from 'node:fs';

/** Writes what the gate's closing lines need: counts, and each skipped test with its reason. */
export default class SummaryReporter {
  onTestRunEnd(testModules) {
    const summary = { passed: 0, failed: 0, skipped: [] };
    for (const module of testModules) {
      // A file that cannot be loaded has no tests of its own, and must not pass unseen.
      if (module.state() === 'failed' && module.errors().length > 0) summary.failed += 1;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') summary.passed += 1;
        else if (result.state === 'failed') summary.failed += 1;
        else
          summary.skipped.push({
            test: `${module.project.name} > ${test.fullName}`,
            reason: result.note ?? 'no reason given',
          });
      }
    }
    if (process.env.HORAE_SUMMARY_FILE) writeFileSync(process.env.HORAE_SUMMARY_FILE, JSON.stringify(summary));
  }
}
