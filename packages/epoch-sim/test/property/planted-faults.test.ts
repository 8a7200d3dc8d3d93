import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { compareColumns } from '../support/compare-columns.js';
import { compareRestored } from '../support/compare-restored.js';
import { compareSplit } from '../support/compare-split.js';
import { compareSecond, compareWithModel } from '../support/compare-with-model.js';
import { faultsOfAdmission } from '../support/faults-of-admission.js';
import { faultsOfCarrying } from '../support/faults-of-carrying.js';
import { faultsOfPhases } from '../support/faults-of-phases.js';
import { faultsOfSecond } from '../support/faults-of-second.js';
import { type Engine, type PropertyName, plantedEngine } from '../support/planted-engine.js';
import { randomSecond } from '../support/random-second.js';

const MAX_ROUNDS = 1_000;

/** Whether an engine keeps a property in the scenario of a story. */
const properties: Record<PropertyName, (engine: Engine, story: string) => boolean> = {
  model: (engine, story) => {
    const { engine: mine, model } = compareWithModel(engine, story);
    return isDeepStrictEqual(mine, model);
  },
  columns: (engine, story) => {
    const { closedForm, engine: mine } = compareColumns(engine, story);
    return isDeepStrictEqual(closedForm, mine);
  },
  split: (engine, story) => {
    return [false, true].every((distribute) => {
      const { parts, whole } = compareSplit(engine, story, distribute);
      return isDeepStrictEqual(parts, whole);
    });
  },
  restored: (engine, story) => {
    const { straight, restored } = compareRestored(engine, story);
    return restored.every((bytes) => bytes === straight);
  },
  second: (engine, story) => {
    const { engine: mine, model } = compareSecond(engine, story);
    return isDeepStrictEqual(mine, model);
  },
  'second split': (engine, story) => {
    const { parts, whole } = compareSplit(engine, story, false, randomSecond);
    return isDeepStrictEqual(parts, whole);
  },
  'second restored': (engine, story) => {
    const { straight, restored } = compareRestored(engine, story, randomSecond);
    return restored.every((bytes) => bytes === straight);
  },
};

/** The first round in which the property is broken, or null. An engine that throws has broken it. */
function roundOfFailure(property: PropertyName, engine: Engine): number | null {
  for (let i = 0; i < MAX_ROUNDS; i++) {
    try {
      if (!properties[property](engine, `planted/${i}`)) return i;
    } catch {
      return i;
    }
  }
  return null;
}

/**
 * Every fault is one change of one source file. Two that random scenarios hardly ever show have stories of their own: the
 * order of resumptions in one minute (settled-order) and of preemptors of equal priority (settled-interrupts). Faults that
 * break a linked list or a loop's end are not planted here: they may hang, which is no verdict.
 */
describe('a planted fault is found', () => {
  test.each([...faultsOfPhases, ...faultsOfAdmission, ...faultsOfCarrying, ...faultsOfSecond])(
    '$story',
    async (fault) => {
      const round = roundOfFailure(fault.by, await plantedEngine(fault));
      expect(round, `no scenario shows that ${fault.story}`).not.toBeNull();
    },
  );
});
