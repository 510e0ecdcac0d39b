import { openApiDocument, type ActionName, type Json } from '@corral/contract';
import fc from 'fast-check';

/** The part of JSON Schema that the contract's inputs are written in. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

interface Operation {
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
}

const document = openApiDocument('0');
const paths = document.paths as Record<string, { readonly post: Operation }>;
const { schemas: components = {} } = (document.components ?? {}) as {
  readonly schemas?: Record<string, JsonSchema>;
};

/** The schema of an action's input in the published OpenAPI document. */
export function inputSchemaOf(action: ActionName): JsonSchema {
  const path = paths[`/api/v1/actions/invoke/${action}`];
  if (path === undefined) throw new Error(`${action} is not in the document`);
  return path.post.requestBody.content['application/json'].schema;
}

/** Any text, including characters that are difficult for databases and terminals. */
const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\0', '\ud800', "'; drop table users; --", '%s', '${x}') },
  { weight: 1, arbitrary: fc.string({ minLength: 900, maxLength: 3000 }) },
);

const anyTime = fc.oneof(
  fc.date({ min: new Date('2026-11-01'), max: new Date('2026-11-30'), noInvalidDate: true }),
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
);

/** Any JSON value of small depth. */
export const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

const matching = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern. Each pattern is read once, which takes milliseconds. */
function matchesOf(pattern: string): fc.Arbitrary<string> {
  let known = matching.get(pattern);
  if (known === undefined) matching.set(pattern, (known = fc.stringMatching(new RegExp(pattern))));
  return known;
}

/** Values that a schema allows. `known` maps patterns to values that are generated most of the time. */
export function allowedBy(
  schema: JsonSchema,
  known: (pattern: string) => readonly string[],
  depth = 2,
): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.$ref !== undefined) return allowedBy(referredBy(schema.$ref), known, depth - 1);
  if (schema.oneOf !== undefined) return oneOf(schema.oneOf, known, depth);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => allowedBy(one, known, depth)));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.oneof(...integers(schema));
  if (schema.type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (schema.type === 'array') return listOf(schema, allowedBy(schema.items ?? {}, known, depth));
  if (schema.type === 'object') return objectOf(schema, known, depth);
  if (schema.type !== 'string') return anyJson;
  if (schema.format === 'date-time') return anyTime.map((at) => at.toISOString());
  if (schema.pattern === undefined) return anyText;
  const made = matchesOf(schema.pattern);
  const names = known(schema.pattern);
  return names.length === 0 ? made : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, made);
}

function referredBy(reference: string): JsonSchema {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const schema = components[name];
  if (schema === undefined) throw new Error(`${reference} is not in the document`);
  return schema;
}

/** One of several; deep down one that does not go deeper. */
function oneOf(
  schemas: readonly JsonSchema[],
  known: (pattern: string) => readonly string[],
  depth: number,
): fc.Arbitrary<unknown> {
  const flat = schemas.filter((one) => !JSON.stringify(one).includes('"$ref"'));
  return fc.oneof(
    ...(depth <= 0 && flat.length > 0 ? flat : schemas).map((one) => allowedBy(one, known, depth)),
  );
}

function listOf(
  { minItems = 0, uniqueItems = false }: JsonSchema,
  item: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown[]> {
  const length = { minLength: minItems, maxLength: 5 };
  return uniqueItems ? fc.uniqueArray(item, length) : fc.array(item, length);
}

function integers({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): fc.Arbitrary<number>[] {
  const edges = fc.constantFrom(minimum, maximum);
  return [edges, fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) })];
}

function objectOf(
  { properties, required = [], additionalProperties }: JsonSchema,
  known: (pattern: string) => readonly string[],
  depth: number,
): fc.Arbitrary<unknown> {
  const isMap = properties === undefined && typeof additionalProperties === 'object';
  if (isMap) return fc.dictionary(anyText, allowedBy(additionalProperties, known, depth), { maxKeys: 5 });
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, allowedBy(field, known, depth)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}
