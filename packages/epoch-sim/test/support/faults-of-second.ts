import type { Fault } from './planted-engine.js';

type Planted = [story: string, file: string, code: string, instead: string, by?: Fault['by']];

const planted: Planted[] = [
  ['units do not count', 'lock-table.ts', 'this.free[lock]! -= pool.units(place);', 'this.free[lock]! -= 1;'],
  [
    'one waiter starts per minute',
    'lock-table.ts',
    'if (this.head[lock]! >= 0 && this.free[lock]! > 0) this.touch(lock);',
    '',
  ],
  [
    'equal priorities overtake',
    'lock-table.ts',
    'actions.pool.owner(place)]! < priority',
    'actions.pool.owner(place)]! <= priority',
  ],
  ['who leaves wakes nobody', 'lock-table.ts', 'wasFirst && this.head[lock]! >= 0', 'false && this.head[lock]! >= 0'],
  [
    'a restored lock wakes nobody',
    'lock-table.ts',
    '    this.free[lock]! += DOWN;\n    if (this.head[lock]! >= 0) this.touch(lock);',
    '    this.free[lock]! += DOWN;',
  ],
  ['more units than there are wait for ever', 'engine-state.ts', 'units > this.locks.capacity(locks[i]!)', 'false'],
  ['two orders in one request', 'engine-state.ts', 'inOrder > 0 && (', 'false && ('],
  [
    'patience is a minute too long',
    'cancel-phase.ts',
    'state.patience.put(row, state.actions.requestedAt(row) + patience);',
    'state.patience.put(row, state.actions.requestedAt(row) + patience + 1);',
  ],
  [
    'patience in calendar order',
    'cancel-phase.ts',
    'rows.sort((a, b) => actions.request(a) - actions.request(b))',
    'rows.reverse()',
  ],
  [
    'the definition overrides the patience',
    'cancel-phase.ts',
    'state.actions.instances[row]!.patience_min ?? state.kinds[state.actions.kind(row)]!.patience',
    'state.kinds[state.actions.kind(row)]!.patience ?? state.actions.instances[row]!.patience_min ?? null',
  ],
  [
    'what cannot be interrupted is cancelled',
    'cancel-phase.ts',
    '(state.actions.flags(row) & Flag.interruptible) === 0',
    'false',
  ],
  ['a cancelled action keeps its reservation', 'cancel-phase.ts', '  endReservation(state, row, true);\n', ''],
  [
    'a cancelled waiter says what is left',
    'cancel-phase.ts',
    'attempt > 0 ? actions.span(row) : -1',
    'actions.span(row)',
  ],
  ['what is produced goes above the maximum', 'resource-table.ts', 'entry.max === undefined ? sum :', 'true ? sum :'],
  ['nobody hears of what was produced', 'reservations.ts', '[...needs, ...yields]', 'needs'],
  ['a waiter reserves when it asks', 'admit.ts', '!special || !state.kinds[actions.kind(row)]!.waits', 'true'],
  [
    'a waiter starts without its resources',
    'grant.ts',
    'state.resources.shortage(state.needsOf(row)) === null',
    'true',
  ],
  ['an outage spares the holders', 'outages.ts', "given.policy === 'finish' ? [] : holders", '[]'],
  [
    'an outage of a lock that is down',
    'outages.ts',
    'if (!state.locks.isDown(source.lock)) breakDown',
    'if (!state.down.has(-1)) breakDown',
  ],
  [
    'the next outage counts from the last',
    'outages.ts',
    'countDown(state, source, minute);\n  }',
    'countDown(state, source, minute - 1);\n  }',
  ],
  ['a repair needs the broken lock', 'outages.ts', '!== text)', '!== null)'],
  [
    'arrivals are rounded one by one',
    'arrival-sources.ts',
    'source.sum += Math.max(0, draw',
    'source.sum = Math.ceil(source.sum) + Math.max(0, draw',
  ],
  ['an arrival at the end of its source', 'arrival-sources.ts', 'source.due >= end', 'source.due > end'],
  [
    'what comes after others is due a minute later',
    'dependencies.ts',
    '      state.submissions.put(row, minute);',
    '      state.submissions.put(row, minute + 1);',
  ],
  [
    'a cancelled predecessor has ended',
    'dependencies.ts',
    "status === Status.cancelled ? 'failed' : 'open'",
    "status === Status.cancelled ? 'ended' : 'open'",
  ],
  ['a cycle is held for ever', 'dependencies.ts', 'if (id === own) return true;', ''],
  [
    'what was held is admitted before the list',
    'start-phase.ts',
    'listed.size === 0 ? state.submissions.taken',
    'true ? state.submissions.taken',
  ],
  [
    'the highest priority is evicted first',
    'preempt.ts',
    'actions.priority[a]! - actions.priority[b]! ||',
    'actions.priority[b]! - actions.priority[a]! ||',
  ],
  [
    'the earliest started is evicted first',
    'preempt.ts',
    'actions.started(b) - actions.started(a)',
    'actions.started(a) - actions.started(b)',
  ],
  ['a preemptor is looked at too seldom', 'advance.ts', ' || state.lookAgain', ''],
  [
    'patience begins anew after a cut',
    'read-carry-over.ts',
    'if ((actions.flags(row) & Flag.special) !== 0) watchPatience(state, row);',
    '',
    'second split',
  ],
  [
    'arrivals end with the epoch',
    'carry-agenda.ts',
    'for (const { given, next, due_in, origin_in, end_in, sum } of agenda.arrivals ?? [])',
    'for (const { given, next, due_in, origin_in, end_in, sum } of [] as NonNullable<typeof agenda.arrivals>)',
    'second split',
  ],
  ['a lock is up after a cut', 'carry-agenda.ts', '    state.locks.setDown(number);\n', '', 'second split'],
  ['carried units are one each', 'read-carry-over.ts', '    carried.units,\n', '', 'second split'],
  [
    'outages are forgotten by a snapshot',
    'agenda-image.ts',
    'outages: state.outages,',
    'outages: [],',
    'second restored',
  ],
  [
    'a lock is up after a restore',
    'rebuild-lists.ts',
    '  for (const lock of state.down.keys()) locks.setDown(lock);\n',
    '',
    'second restored',
  ],
  ['patience is forgotten by a snapshot', 'rebuild-lists.ts', '  watchPatience(state, row);\n', '', 'second restored'],
];

/** Mistakes in units, levels, patience, predecessors, arrivals and outages. */
export const faultsOfSecond: Fault[] = planted.map(([story, file, code, instead, by = 'second']) => {
  return { story, file, code, instead, by };
});
