import { type Clock, type Random, resolveZone, systemClock, systemRandom } from '@horae/clock-store';
import type { AlertChannel, AlertRule } from '../../model/alert.js';
import { badOption } from '../../model/errors.js';
import type { EngineStep, PoolOptions, RingOptions } from '../../model/interface.js';
import { type Logger, silentLogger } from '../../model/logger.js';
import { createUuid } from '../../model/uuid.js';
import { poolDefaults } from '../../schedule/choose-pool.js';
import { readAlertRules, readChannels } from '../alerts/alert-options.js';

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly clock: Clock;
  /** A given clock is authoritative; without one, the database server's clock is. */
  readonly isClockGiven: boolean;
  readonly random: Random;
  readonly nodeId: string;
  readonly zone: string;
  readonly log: Logger;
  readonly claim: 'lock-row' | 'buckets';
  readonly preReadMs: number;
  readonly misfireMs: number;
  readonly slots: number;
  readonly drainSlots: number;
  readonly batchLimit: number;
  readonly leaseMs: number;
  readonly maxClockSkewMs: number;
  readonly pools: Required<PoolOptions>;
  readonly keepRunsMs: number;
  readonly maxParamsBytes: number;
  readonly alerts: readonly AlertRule[];
  readonly channels: Readonly<Record<string, AlertChannel>>;
  readonly quietMs: number;
  readonly metricJobs: number;
  readonly onStep: ((step: EngineStep) => void | Promise<void>) | undefined;
}

const DAY_MS = 86_400_000;

/** Checks the options and fills in the defaults. Throws 'bad-option' with the field, the value and the expectation. */
export function resolveOptions(options: RingOptions): ResolvedOptions {
  const misfireMs = whole('misfireMs', options.misfireMs ?? 5_000, 1_000);
  const leaseMs = whole('leaseMs', options.leaseMs ?? 3_000, 1);
  if (leaseMs + 1_000 >= misfireMs && options.misfireMs === undefined) {
    throw badOption(
      'leaseMs',
      leaseMs,
      `below ${misfireMs - 1_000}, so that taking over a lost node makes no misfires; or give a misfireMs above ${leaseMs + 1_000}`,
    );
  }
  const claim = options.claim ?? 'lock-row';
  if (claim !== 'lock-row' && claim !== 'buckets') throw badOption('claim', claim, "'lock-row' or 'buckets'");
  const slots = whole('slots', options.slots ?? 60, 1);
  const drainSlots = whole('drainSlots', options.drainSlots ?? 3, 1);
  if (drainSlots > slots) throw badOption('drainSlots', drainSlots, `at most slots (${slots})`);
  const random = options.random ?? systemRandom();
  return {
    clock: options.clock ?? systemClock(),
    isClockGiven: options.clock !== undefined,
    random,
    nodeId: text('nodeId', options.nodeId ?? `node-${createUuid(systemRandom()).slice(0, 8)}`),
    zone: zone(options.zone ?? 'UTC'),
    log: options.log ?? silentLogger,
    claim,
    preReadMs: whole('preReadMs', options.preReadMs ?? 5_000, 0),
    misfireMs,
    slots,
    drainSlots,
    batchLimit: whole('batchLimit', options.batchLimit ?? 6_000, 1),
    leaseMs,
    maxClockSkewMs: whole('maxClockSkewMs', options.maxClockSkewMs ?? 5_000, 1),
    pools: resolvePools(options.pools ?? {}),
    keepRunsMs: whole('keepRunsMs', options.keepRunsMs ?? 30 * DAY_MS, 1),
    maxParamsBytes: whole('maxParamsBytes', options.maxParamsBytes ?? 65_536, 1),
    alerts: readAlertRules(options.alerts),
    channels: readChannels(options.channels),
    quietMs: whole('quietMs', options.quietMs ?? 600_000, 0),
    metricJobs: whole('metricJobs', options.metricJobs ?? 500, 0),
    onStep: options.onStep,
  };
}

function resolvePools(pools: PoolOptions): Required<PoolOptions> {
  const all = { ...poolDefaults, ...pools };
  for (const pool of ['fast', 'slow'] as const) {
    whole(`pools.${pool}.size`, all[pool].size, 1);
    whole(`pools.${pool}.queue`, all[pool].queue, 0);
  }
  whole('pools.slowAfterMs', all.slowAfterMs, 0);
  whole('pools.slowAfterCount', all.slowAfterCount, 0);
  whole('pools.windowMs', all.windowMs, 1);
  return all;
}

function zone(name: string): string {
  try {
    return resolveZone(name);
  } catch {
    throw badOption('zone', name, 'an IANA zone such as Europe/Berlin');
  }
}

function whole(field: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw badOption(field, value, `a whole number from ${least} on`);
}

function text(field: string, value: string): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= 190) return value;
  throw badOption(field, value, 'a text of 1 to 190 characters');
}
