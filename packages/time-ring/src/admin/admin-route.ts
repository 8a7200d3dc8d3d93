import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { JobRef } from '../model/job.js';

/** The answer of a route: JSON, text, nothing, or a response that it writes itself. */
export type AdminAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'stream'; open(response: ServerResponse): void };

/** The checked request to a route. */
export interface AdminQuestion<Query, Body> {
  /** The `{id}` of its path; 0 for a path without, and for a key. */
  readonly id: number;
  /** The `{id}` of a job's path: digits are an id, anything else a key. */
  readonly job: JobRef;
  /** The `{name}` of its path; empty for a path without. */
  readonly name: string;
  readonly query: Query;
  readonly body: Body;
  /** Whether the caller has sent the token, or none is required; always true except on public routes. */
  readonly isTrusted: boolean;
}

/** One route of the API: its path, input and output. The server and the OpenAPI document are built from it. */
export interface AdminRoute<Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/admin/${string}`;
  readonly summary: string;
  /** Requires no token; the parts that only administrators may see depend on `isTrusted`. */
  readonly isPublic?: boolean;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Every field of the body may be omitted, and so may the body. */
  readonly isBodyOptional?: boolean;
  readonly answers: Readonly<Record<number, { description: string; schema?: z.ZodType; contentType?: string }>>;
  answer(question: AdminQuestion<Query, Body>): AdminAnswer | Promise<AdminAnswer>;
}

type Output<Shape> = Shape extends z.ZodType ? z.output<Shape> : undefined;

/** Infers the types of a route's request from its schemas. */
export function adminRoute<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(route: Omit<AdminRoute<Output<Query>, Output<Body>>, 'query' | 'body'> & { query?: Query; body?: Body }): AdminRoute {
  return route as unknown as AdminRoute;
}

export function json(body: unknown, status = 200): AdminAnswer {
  return { kind: 'json', status, body };
}
