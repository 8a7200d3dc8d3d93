import { expect, test } from 'vitest';
import { judgeWindow } from './retention-window.js';

const CUT = 1_000;
const old = (id: number) => ({ id, firedAt: 1, endedAt: CUT - 1 });
const open = (id: number) => ({ id, firedAt: 1, endedAt: null });
const late = (id: number) => ({ id, firedAt: 1, endedAt: CUT });
const young = (id: number) => ({ id, firedAt: CUT, endedAt: CUT + 1 });

test.each([
  {
    story: 'old runs go, and the walk goes on behind them',
    runs: [old(5), old(6)],
    gone: [5, 6],
    lastId: 6,
    isDone: false,
  },
  { story: 'open runs are passed by', runs: [open(5), open(6)], gone: [], lastId: 6, isDone: false },
  { story: 'runs that ended late are passed by', runs: [late(5), open(6)], gone: [], lastId: 6, isDone: false },
  {
    story: 'young runs end the walk, which stays before them',
    runs: [young(5), young(6)],
    gone: [],
    lastId: 4,
    isDone: true,
  },
  { story: 'the last runs end the walk', runs: [old(5)], gone: [5], lastId: 5, isDone: true },
  { story: 'nothing there ends it', runs: [], gone: [], lastId: 4, isDone: true },
])('$story', ({ runs, gone, lastId, isDone }) => {
  expect(judgeWindow(runs, { endedBefore: CUT, afterId: 4, limit: 2 })).toEqual({ old: gone, lastId, isDone });
});
