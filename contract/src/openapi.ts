import { z } from 'zod';
import { actions, type ActionName } from './catalogue.ts';
import { defaultMaxInputBytes } from './define.ts';
import { newerNames } from './newer-names.ts';

type JsonObject = Record<string, unknown>;

/** The schemas with a name of their own, which others refer to. */
type NamedSchemas = JsonObject;

/** The JSON Schema of the input or output of an action; adds to `named` what it refers to by name. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', named: NamedSchemas): JsonObject {
  const {
    $schema: _dialect,
    $defs: defined = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
  }) as JsonObject;
  for (const [name, one] of Object.entries(defined as JsonObject))
    if (!isUnnamed(name)) named[name] = withoutRecursion(one);
  return withoutRecursion(rest) as JsonObject;
}

/** Zod numbers what has no name of its own. */
function isUnnamed(name: string): boolean {
  return name.startsWith('__schema');
}

/** References to schemas without a name, which do not exist in OpenAPI, become the empty schema, which accepts any value. */
function withoutRecursion(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRecursion);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) {
    const name = String(node.$ref).replace('#/$defs/', '');
    return isUnnamed(name) || name.startsWith('#') ? {} : { $ref: `#/components/schemas/${name}` };
  }
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

function operation(name: ActionName, named: NamedSchemas): JsonObject {
  const { doc, kind, input, output, maxInputBytes } = actions[name];
  return {
    operationId: name,
    summary: doc,
    tags: [name.slice(0, name.indexOf('_'))],
    'x-corral-kind': kind,
    ...(maxInputBytes === defaultMaxInputBytes ? {} : { 'x-corral-max-input-bytes': maxInputBytes }),
    requestBody: { required: true, ...jsonBody(schemaOf(input, 'input', named)) },
    responses: responses(schemaOf(output, 'output', named)),
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
    reason: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: {
          enum: ['FilterMistake', 'StepUpWanted'],
          description: 'StepUpWanted: call again after the user of the session has proved again who it is.',
        },
        problem: { type: 'string' },
        at: { type: 'integer', description: 'The index of the first wrong character in the filter.' },
      },
    },
  },
};

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(version: string): JsonObject {
  const steps = openApiSteps(version);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Makes the same document one action at a time, for programs that may not spend 100 ms in one turn of the event loop. */
export function* openApiSteps(version: string): Generator<undefined, JsonObject> {
  const paths: Record<string, JsonObject> = {};
  const named: NamedSchemas = {};
  for (const name of Object.keys(actions) as ActionName[]) {
    paths[`/api/v1/actions/invoke/${name}`] = { post: operation(name, named) };
    yield;
  }
  for (const [name, action] of Object.entries(newerNames))
    paths[`/api/v1/actions/invoke/${name}`] = { post: alias(name, action) };
  return documentOf(version, paths, named);
}

function documentOf(version: string, paths: JsonObject, named: NamedSchemas): JsonObject {
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
    paths,
    components: {
      schemas: { Error: errorSchema, ...named },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
        token: { type: 'http', scheme: 'bearer', description: 'A user token, u_sk_…' },
      },
    },
  };
}
