import { z } from 'zod';
import { actions, type ActionName } from './catalogue.ts';
import { defaultMaxInputBytes } from './define.ts';
import { newerNames } from './newer-names.ts';

type JsonObject = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const {
    $schema: _dialect,
    $defs: _recursive,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
  }) as JsonObject;
  return withoutRecursion(rest) as JsonObject;
}

/** Replaces references into `$defs`, which do not exist in OpenAPI, by the empty schema, which accepts any value. */
function withoutRecursion(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRecursion);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return {};
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutRecursion(value)]));
}

function jsonBody(schema: JsonObject): JsonObject {
  return { content: { 'application/json': { schema } } };
}

const failures: Record<string, string> = {
  400: 'The input is wrong, or there is no such thing that the caller may see.',
  401: 'Not signed in.',
  403: 'The caller may not do this.',
  413: 'The input is too large.',
  429: 'Too many attempts; Retry-After says when to try again.',
  500: 'The hub failed; the request id names the entry in its log.',
  503: 'The hub is not ready; Retry-After says when to try again.',
};

function responses(output: JsonObject): JsonObject {
  const error = jsonBody({ $ref: '#/components/schemas/Error' });
  const failed = Object.entries(failures).map(([status, description]) => [status, { description, ...error }]);
  return { 200: { description: 'Done.', ...jsonBody(output) }, ...Object.fromEntries(failed) };
}

function operation(name: ActionName): JsonObject {
  const { doc, kind, input, output, maxInputBytes } = actions[name];
  return {
    operationId: name,
    summary: doc,
    tags: [name.slice(0, name.indexOf('_'))],
    'x-corral-kind': kind,
    ...(maxInputBytes === defaultMaxInputBytes ? {} : { 'x-corral-max-input-bytes': maxInputBytes }),
    requestBody: { required: true, ...jsonBody(schemaOf(input, 'input')) },
    responses: responses(schemaOf(output, 'output')),
  };
}

/** The operation by its newer name, with references to the original one. */
function alias(name: string, action: ActionName): JsonObject {
  const target = `#/paths/~1api~1v1~1actions~1invoke~1${action}/post`;
  const statuses = ['200', ...Object.keys(failures)];
  return {
    operationId: name,
    summary: `The newer name of ${action}.`,
    tags: [name.slice(0, name.indexOf('_'))],
    'x-corral-kind': actions[action].kind,
    'x-corral-alias-of': action,
    requestBody: { $ref: `${target}/requestBody` },
    responses: Object.fromEntries(
      statuses.map((status) => [status, { $ref: `${target}/responses/${status}` }]),
    ),
  };
}

const errorSchema: JsonObject = {
  type: 'object',
  required: ['kind', 'message'],
  properties: {
    kind: {
      enum: ['Invalid', 'Forbidden', 'Internal', 'RateLimited'],
      description: 'RateLimited only where the action is called by a newer name, else Internal.',
    },
    message: { type: 'string', description: 'A sentence for people.' },
    requestId: { type: 'string' },
  },
};

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(version: string): JsonObject {
  const names = Object.keys(actions) as ActionName[];
  const path = (name: string, post: JsonObject) => [`/api/v1/actions/invoke/${name}`, { post }] as const;
  const aliases = Object.entries(newerNames);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Corral',
      version,
      description:
        'Every operation of the hub is an action: a JSON input and a JSON output. An input may have 64 KiB as JSON unless x-corral-max-input-bytes says more.',
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }, { token: [] }],
    paths: Object.fromEntries([
      ...names.map((name) => path(name, operation(name))),
      ...aliases.map(([name, action]) => path(name, alias(name, action))),
    ]),
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
        token: { type: 'http', scheme: 'bearer', description: 'A user token, u_sk_…' },
      },
    },
  };
}
