import type { RingHttpOptions, RingOptions } from '@horae/time-ring';
import { alertCauses, webhookFormats } from '@horae/time-ring/strategies';
import { z } from 'zod';
import { durationSchema } from '../arguments/duration-schema.js';

const size = z.int().min(0);
/** A rule of alerts, as the library has it; the library checks that its channel is there. */
export const alertRule = z.strictObject({
  on: z.enum(alertCauses),
  afterMs: durationSchema.optional(),
  channel: z.string().min(1),
});

/** Where alerts go. A file cannot contain functions of a program. */
const alertChannel = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('webhook'),
    url: z.url(),
    secret: z.string().min(1).optional(),
    format: z.enum(webhookFormats).optional(),
  }),
  z.strictObject({
    kind: z.literal('email'),
    smtp: z.union([z.string().min(1), z.record(z.string(), z.json())]),
    to: z.union([z.string().min(1), z.array(z.string().min(1))]),
    from: z.string().min(1).optional(),
  }),
]);

const pool = z.strictObject({ size: z.int().min(1), queue: size });

/** The options of a node under the library's names; times may be durations. The library checks options that depend on each other. */
export const nodeOptions = {
  nodeId: z.string().min(1).optional(),
  preReadMs: durationSchema.optional(),
  misfireMs: durationSchema.optional(),
  leaseMs: durationSchema.optional(),
  keepRunsMs: durationSchema.optional(),
  maxClockSkewMs: durationSchema.optional(),
  quietMs: durationSchema.optional(),
  alerts: z.array(alertRule).optional(),
  channels: z.record(z.string().min(1), alertChannel).optional(),
  metricJobs: z.int().min(0).optional(),
  slots: z.int().min(1).optional(),
  drainSlots: z.int().min(1).optional(),
  batchLimit: z.int().min(1).optional(),
  maxParamsBytes: z.int().min(1).optional(),
  pools: z
    .strictObject({
      fast: pool.optional(),
      slow: pool.optional(),
      slowAfterMs: durationSchema.optional(),
      slowAfterCount: size.optional(),
      windowMs: durationSchema.optional(),
    })
    .optional(),
};

/** The HTTP side of a node. */
export const httpOptions = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  accessToken: z.string().min(1).optional(),
  adminToken: z.string().min(1).optional(),
  tokenHeader: z.string().min(1).optional(),
  payloadField: z.enum(['content', 'data']).optional(),
  maxBodyBytes: z.int().min(1).optional(),
  callTimeoutMs: durationSchema.optional(),
  maxExecutors: z.int().min(1).optional(),
  maxConnections: z.int().min(1).optional(),
  breaker: z.strictObject({ failures: z.int().min(1).optional(), openMs: durationSchema.optional() }).optional(),
  resultGraceMs: durationSchema.optional(),
});

type Served = { readonly [Name in keyof typeof nodeOptions]?: unknown } & {
  readonly zone?: string | undefined;
  readonly node?: string | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly http?: z.output<typeof httpOptions> | undefined;
};

/** The options for `startTimeRing`. Names beside the block `http` come before those in it; without a port there is no HTTP side. */
export function optionsOf(config: Served): Partial<RingOptions> {
  const { zone, node, port, host, token, adminToken, http = {} } = config;
  const side = given({ ...http, ...given({ port, host, accessToken: token, adminToken }) });
  const named = given(Object.fromEntries(Object.keys(nodeOptions).map((name) => [name, config[name as 'slots']])));
  return {
    ...given({ zone, nodeId: node }),
    ...named,
    ...(side.port === undefined ? {} : { http: side as unknown as RingHttpOptions }),
  } as Partial<RingOptions>;
}

function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
