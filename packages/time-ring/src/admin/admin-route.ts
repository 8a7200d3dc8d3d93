import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { JobRef } from '../model/job.js';

/** What a route gives back: JSON, a text, nothing, or a response that it writes itself. */
export type AdminAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'stream'; open(response: ServerResponse): void };

/** What a route is asked, checked. */
export interface AdminQuestion<Query, Body> {
  /** The `{id}` of its path; 0 for a path without, and for a key. */
  readonly id: number;
  /** The `{id}` of a job's path: digits are an id, anything else a key. */
  readonly job: JobRef;
  /** The `{name}` of its path; empty for a path without. */
  readonly name: string;
  readonly query: Query;
  readonly body: Body;
  /** Whether the caller has shown the token, or none is needed; always true but for public routes. */
  readonly isTrusted: boolean;
}

/** One line of the API: where it is, what it takes, what it gives. The server and the OpenAPI document are made from it. */
export interface AdminRoute<Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/admin/${string}`;
  readonly summary: string;
  /** Needs no token; what only administrators may see depends on `isTrusted`. */
  readonly isPublic?: boolean;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Every field of the body may be left out, and so may the body. */
  readonly isBodyOptional?: boolean;
  readonly answers: Readonly<Record<number, { description: string; schema?: z.ZodType; contentType?: string }>>;
  answer(question: AdminQuestion<Query, Body>): AdminAnswer | Promise<AdminAnswer>;
}

type Output<Shape> = Shape extends z.ZodType ? z.output<Shape> : undefined;

/** Ties the types of a route's question to its schemas. */
export function adminRoute<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(route: Omit<AdminRoute<Output<Query>, Output<Body>>, 'query' | 'body'> & { query?: Query; body?: Body }): AdminRoute {
  return route as unknown as AdminRoute;
}

export function json(body: unknown, status = 200): AdminAnswer {
  return { kind: 'json', status, body };
}
