import { writeFileSync } from 'node:fs';
import { DefaultReporter } from 'vitest/node';

const PROGRESS_MS = 30_000;

/**
 * Prints a line when a kind of test is done and one every half minute in between, each failure as soon as it is known, and vitest's account of
 * all failures at the end. Writes what the gate's closing lines need: counts, and each skipped test with its reason.
 */
export default class GateReporter extends DefaultReporter {
  #stages = new Map();
  #startedAt = Date.now();
  #saidAt = Date.now();

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    for (const { project } of specifications) this.#stage(project.name).files += 1;
  }

  onTestModuleEnd(module) {
    super.onTestModuleEnd(module);
    const stage = this.#stage(module.project.name);
    stage.done += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      stage[state] += 1;
      if (state === 'failed') say(`  failed: ${module.relativeModuleId} > ${test.fullName}`);
    }
    if (stage.done >= stage.files) this.#say(`  ${module.project.name}: ${tally(stage)}`);
    else if (Date.now() - this.#saidAt >= PROGRESS_MS) this.#say(`  so far ${this.#total()}`);
  }

  /** A line per file would bury what matters. */
  printTestModule() {}

  onTestRunEnd(testModules, unhandledErrors, reason) {
    super.onTestRunEnd(testModules, unhandledErrors, reason);
    if (process.env.HORAE_SUMMARY_FILE) {
      writeFileSync(process.env.HORAE_SUMMARY_FILE, JSON.stringify(summaryOf(testModules)));
    }
  }

  #stage(name) {
    const stage = this.#stages.get(name) ?? { files: 0, done: 0, passed: 0, failed: 0, skipped: 0, pending: 0 };
    this.#stages.set(name, stage);
    return stage;
  }

  #total() {
    const stages = [...this.#stages.values()];
    const sum = (field) => stages.reduce((total, stage) => total + stage[field], 0);
    return `${sum('done')} of ${sum('files')} files, ${sum('passed')} tests passed, ${sum('failed')} failed`;
  }

  #say(text) {
    this.#saidAt = Date.now();
    const seconds = Math.round((this.#saidAt - this.#startedAt) / 1000);
    say(`${text}, after ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
  }
}

function tally({ files, passed, failed, skipped }) {
  return `${files} files, ${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

function say(text) {
  console.log(`[horae] ${text}`);
}

function summaryOf(testModules) {
  const summary = { passed: 0, failed: 0, skipped: [] };
  for (const module of testModules) {
    // A file that cannot be loaded has no tests of its own, and must not pass unseen.
    if (module.state() === 'failed' && module.errors().length > 0) summary.failed += 1;
    for (const test of module.children.allTests()) {
      const { state, note } = test.result();
      if (state === 'passed') summary.passed += 1;
      else if (state === 'failed') summary.failed += 1;
      else
        summary.skipped.push({ test: `${module.project.name} > ${test.fullName}`, reason: note ?? 'no reason given' });
    }
  }
  return summary;
}
