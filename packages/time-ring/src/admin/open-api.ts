import { z } from 'zod';
import type { AdminRoute } from './admin-route.js';
import { answerSchemas } from './admin-schemas.js';

/** The OpenAPI document of the routes. Built once, when the server starts. */
export function openApiDocument(routes: readonly AdminRoute[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Horae time-ring', version: '1.0.0', description: 'Jobs, runs and executors of a time-ring node' },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  };
}

function operation(route: AdminRoute): object {
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.isPublic ? { security: [] } : {}),
    parameters: parameters(route),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !route.isBodyOptional,
            content: { 'application/json': { schema: schemaOf(route.body) } },
          },
        }),
    responses: {
      ...responses(route),
      default: { description: 'What went wrong', content: jsonContent(answerSchemas.error) },
    },
  };
}

function responses({ answers }: AdminRoute): object {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, contentType }]) => [
      status,
      {
        description,
        ...(contentType === undefined
          ? {}
          : { content: { [contentType.split(';')[0]!]: { schema: { type: 'string' } } } }),
        ...(schema === undefined ? {} : { content: jsonContent(schema) }),
      },
    ]),
  );
}

function parameters({ path, query }: AdminRoute): object[] {
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameter(path, name!),
  }));
  const { properties } = query === undefined ? { properties: {} } : schemaOf(query);
  const ofQuery = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
  return [...ofPath, ...ofQuery];
}

function pathParameter(path: string, name: string): object {
  if (name === 'name') return { schema: { type: 'string' } };
  if (!path.startsWith('/admin/jobs/')) return { schema: { type: 'integer', minimum: 1 } };
  return {
    description: 'The id of a job, or its key',
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', minLength: 1, maxLength: 255 },
      ],
    },
  };
}

function jsonContent(schema: z.ZodType): object {
  return { 'application/json': { schema: schemaOf(schema) } };
}

/** The JSON Schema of the input, before defaults are filled in. */
export function schemaOf(schema: z.ZodType): {
  properties?: Record<string, { type?: string; anyOf?: { type?: string }[] }>;
} {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>;
  return rest;
}

function operationId({ method, path }: AdminRoute): string {
  const words = path
    .replace('/admin/', '')
    .split(/[^a-zA-Z]+/)
    .filter((word) => word !== '');
  return [method.toLowerCase(), ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('');
}
