import type { RingNode } from '../engine/node/ring-node.js';
import { findInternals } from '../engine/ring-internals.js';
import { testAlert } from '../http/alert-test.js';
import { RequestProblem } from '../http/read-body.js';
import type { AlertChannel } from '../model/alert.js';
import { badOption } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { answerSchemas as gives, requestSchemas as takes } from './admin-schemas.js';

const DELIVERIES_PER_PAGE = 50;

/** Alert rules, channels and deliveries. The rules of jobs are settings of the jobs. */
export function alertRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/alerts',
      summary: 'The rules of this node’s options and its channels, without their secrets',
      answers: {
        200: { description: 'Rules of groups are with the groups, of jobs with the jobs', schema: gives.alerts },
      },
      answer() {
        const { alerts: rules, quietMs, channels } = nodeOf(ring).options;
        return json({ rules, quietMs, channels: Object.entries(channels).map(shownChannel) });
      },
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/alerts/deliveries',
      summary: 'Messages that wait, were sent or were given up, the newest first',
      query: takes.deliveriesQuery,
      answers: { 200: { description: 'A page; cursor is null on the last', schema: gives.deliveries } },
      async answer({ query: { state, limit = DELIVERIES_PER_PAGE, cursor } }) {
        const beforeId = readCursor(cursor);
        const found = await nodeOf(ring).store.alertDeliveries({ state, beforeId, limit: limit + 1 });
        const deliveries = found.slice(0, limit);
        return json({ deliveries, cursor: found.length > limit ? String(deliveries.at(-1)!.message.id) : null });
      },
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/alerts/test',
      summary: 'Sends a test message to a channel of this node, once and now',
      body: takes.alertTest,
      answers: {
        200: { description: 'It has arrived', schema: gives.tested },
        404: { description: 'This node has no such channel', schema: gives.error },
        502: { description: 'The receiver did not take it; the message says why', schema: gives.error },
      },
      async answer({ body: { channel } }) {
        const { options, clock, log } = nodeOf(ring);
        if (!Object.hasOwn(options.channels, channel))
          throw new RequestProblem(404, 'unknown-channel', `This node has no channel "${channel}" in its options`);
        try {
          await testAlert(options.channels[channel]!, { clock, nodeId: options.nodeId, channel });
        } catch (error) {
          log.warn({ err: error, channel }, 'A test message could not be sent');
          const reason = error instanceof Error ? error.message : String(error);
          throw new RequestProblem(
            502,
            'alert-not-sent',
            `The channel "${channel}" did not take the message: ${reason}`,
          );
        }
        return json({ sent: true });
      },
    }),
    adminRoute({
      method: 'PUT',
      path: '/admin/groups/{name}/alerts',
      summary: 'Replaces the rules for alerts of a group, and nothing else of it',
      body: takes.alertRules,
      answers: { 200: { description: 'The group', schema: gives.group } },
      answer: async ({ name, body }) => json(await ring.groups.putAlerts(name, body.alerts as never)),
    }),
  ];
}

function nodeOf(ring: TimeRing): RingNode {
  const node = findInternals(ring)?.node;
  if (node === undefined) throw new RequestProblem(501, 'no-alerts', 'This ring is not a node of its own');
  return node;
}

function shownChannel([name, channel]: [string, AlertChannel]): object {
  const shown = { name, kind: channel.kind, format: null as string | null, isSigned: false, target: '' };
  if (channel.kind === 'webhook') {
    const { url, secret, format = 'json' } = channel;
    // Paths and queries of webhooks are often the secret itself.
    return { ...shown, target: new URL(url).origin, format, isSigned: secret !== undefined };
  }
  if (channel.kind === 'email') return { ...shown, target: [channel.to].flat().join(', ') };
  return shown;
}

function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw badOption('cursor', cursor, 'what the page before gave');
}
