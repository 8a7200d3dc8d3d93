import { openBrowser } from '@horae-tooling/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createStage } from '../stage/stage.js';
import { cronStory } from './cron-story.js';
import { lookStory } from './look-story.js';
import { restartStory } from './restart-story.js';
import { rewritesStory } from './rewrites-story.js';
import { ringStory } from './ring-story.js';
import { shiftsStory } from './shifts-story.js';
import { simStory } from './sim-story.js';
import { tasksStory } from './tasks-story.js';

// One file for all of them: the browser is unpacked and started once.
let browser: Browser | { reason: string };
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  if ('close' in browser) await browser.close();
});
beforeEach(({ skip }) => {
  if ('reason' in browser) skip(browser.reason);
});

const stage = createStage(() => browser as Browser);
describe('in a real browser', () => {
  cronStory(stage);
  tasksStory(stage);
  ringStory(stage);
  simStory(stage);
  rewritesStory(stage);
  shiftsStory(stage);
  lookStory(stage);
  restartStory(stage);
});
