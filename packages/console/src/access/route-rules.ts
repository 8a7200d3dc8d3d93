import type { Role } from '../wire/accounts.js';

/**
 * How a route meets the limits of a caller who may see only some executor groups: `open` returns nothing about jobs; `job`, `run`, `group`
 * and `flow` name one in the path; `run-and-flow` is a run that must not start anything of a flow that is out of reach; `new-job` and
 * `new-group` have it in the body; `narrowed` routes receive the caller's groups in their query; the lists are filtered; everything else
 * needs all groups.
 */
export type RouteScope =
  | 'open'
  | 'job'
  | 'run'
  | 'run-and-flow'
  | 'flow'
  | 'group'
  | 'new-job'
  | 'new-group'
  | 'job-list'
  | 'run-list'
  | 'executor-list'
  | 'group-list'
  | 'delivery-list'
  | 'events'
  | 'narrowed'
  | 'all-groups';

/** The role and the groups that a route requires. */
export interface RouteRule {
  readonly role: Role;
  readonly scope: RouteScope;
}

const rule = (role: Role, scope: RouteScope): RouteRule => ({ role, scope });

const rules: Readonly<Record<string, RouteRule>> = {
  'GET /admin/health': rule('viewer', 'open'),
  'GET /admin/ready': rule('viewer', 'open'),
  'GET /admin/openapi.json': rule('viewer', 'open'),
  'GET /admin/schedule': rule('viewer', 'open'),
  'GET /admin/calendars': rule('viewer', 'open'),
  'GET /admin/calendars/{name}': rule('viewer', 'open'),
  'GET /admin/alerts': rule('viewer', 'open'),
  'GET /admin/alerts/deliveries': rule('viewer', 'delivery-list'),
  'GET /admin/flows': rule('viewer', 'narrowed'),
  'GET /admin/flows/{id}': rule('viewer', 'flow'),
  'GET /admin/flows/{id}/graph': rule('viewer', 'flow'),
  'GET /admin/events': rule('viewer', 'events'),
  'GET /admin/nodes': rule('viewer', 'all-groups'),
  'GET /admin/report': rule('viewer', 'narrowed'),
  'GET /admin/recent-runs': rule('viewer', 'narrowed'),
  'GET /admin/jobs': rule('viewer', 'job-list'),
  'GET /admin/jobs/{id}': rule('viewer', 'job'),
  'GET /admin/runs': rule('viewer', 'run-list'),
  'GET /admin/runs/{id}': rule('viewer', 'run'),
  'GET /admin/runs/{id}/log': rule('viewer', 'run'),
  'GET /admin/runs/{id}/wait': rule('viewer', 'run'),
  'GET /admin/executors': rule('viewer', 'executor-list'),
  'GET /admin/groups': rule('viewer', 'group-list'),
  'POST /admin/jobs/{id}/start': rule('operator', 'job'),
  'POST /admin/jobs/{id}/stop': rule('operator', 'job'),
  'POST /admin/jobs/{id}/trigger': rule('operator', 'job'),
  'POST /admin/jobs/{id}/trigger-many': rule('operator', 'job'),
  'POST /admin/jobs/{id}/trigger-range': rule('operator', 'job'),
  'POST /admin/runs/{id}/kill': rule('operator', 'run'),
  'POST /admin/runs/{id}/cancel': rule('operator', 'run'),
  'POST /admin/runs/{id}/retry': rule('operator', 'run-and-flow'),
  'POST /admin/runs/retry': rule('operator', 'all-groups'),
  'POST /admin/groups/{name}/pause': rule('operator', 'group'),
  'POST /admin/groups/{name}/resume': rule('operator', 'group'),
  'POST /admin/flows': rule('operator', 'narrowed'),
  'POST /admin/flows/{id}/cancel': rule('operator', 'flow'),
  'POST /admin/jobs': rule('editor', 'new-job'),
  'PUT /admin/jobs': rule('editor', 'new-job'),
  'PATCH /admin/jobs/{id}': rule('editor', 'job'),
  'DELETE /admin/jobs/{id}': rule('editor', 'job'),
  'POST /admin/jobs/sync': rule('editor', 'all-groups'),
  'POST /admin/import': rule('editor', 'all-groups'),
  'PUT /admin/calendars': rule('editor', 'all-groups'),
  'DELETE /admin/calendars/{name}': rule('editor', 'all-groups'),
  'PUT /admin/groups/{name}/alerts': rule('editor', 'group'),
  'POST /admin/alerts/test': rule('editor', 'all-groups'),
  'PUT /admin/groups': rule('admin', 'new-group'),
  'DELETE /admin/groups/{name}': rule('admin', 'group'),
};

/** The rule of a route. A route without a rule is readable by callers that may see all groups, and changed by admins only. */
export function ruleOf(method: string, path: string): RouteRule {
  return rules[`${method} ${path}`] ?? rule(isReading(method) ? 'viewer' : 'admin', 'all-groups');
}

/** Whether a method changes nothing. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
