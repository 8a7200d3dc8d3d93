import { expect, test } from 'vitest';
import { REMOTE, type RunRow, type RunState } from '../../model/run.js';
import { refusalOfReport } from './reported-ends.js';

const sent = {
  state: 'running' as RunState,
  address: 'http://10.0.0.1:9999',
  firedAt: 1,
  owner: 'a-node',
  fence: 1,
} as RunRow;

test.each([
  { story: 'whose executor has not answered yet counts', row: sent, refusal: null },
  { story: 'that belongs to its executor counts', row: { ...sent, owner: REMOTE }, refusal: null },
  {
    story: 'that another node has taken over meanwhile counts',
    row: { ...sent, state: 'pending', address: null, fence: 2 },
    refusal: null,
  },
  { story: 'that nobody knows is ignored', row: undefined, refusal: 'unknown-run' },
  { story: 'that is over is refused', row: { ...sent, state: 'failed', owner: null }, refusal: 'already-over' },
  { story: 'that was never fired', row: { ...sent, state: 'pending', firedAt: null }, refusal: 'never-sent' },
  { story: 'of a broadcast, not sent yet,', row: { ...sent, state: 'pending', address: null }, refusal: 'never-sent' },
  { story: 'on an executor in a process', row: { ...sent, address: 'local:1' }, refusal: 'never-sent' },
] as { story: string; row: RunRow | undefined; refusal: string | null }[])(
  'a result of a run $story',
  ({ row, refusal }) => {
    expect(refusalOfReport(row)).toBe(refusal);
  },
);
