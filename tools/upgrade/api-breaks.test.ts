import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTool } from '../release/run-tool.ts';
import { repositoryRoot } from '../source-files.ts';
import { apiBreaks, type ApiDocument, type Schema } from './api-breaks.ts';
import { newestRelease } from './earlier-checkout.ts';

const text = readFileSync(join(repositoryRoot, 'docs/openapi.json'), 'utf8');
const present = JSON.parse(text) as ApiDocument;
const path = (name: string): string => `/api/v1/actions/invoke/${name}`;
interface Input {
  readonly required: string[];
  readonly properties: Record<string, { enum: string[] } | undefined>;
}
const schemaOf = (body: unknown): Input =>
  (body as { content: { 'application/json': { schema: Input } } }).content['application/json'].schema;
const inputOf = (path: ApiDocument['paths'][string] | undefined): Input => schemaOf(path?.post.requestBody);

/** Where a release had to break the API, which its notes say under Before you upgrade. */
const announced: readonly string[] = [];

test('since the newest release the API has only grown; before the first one nothing is promised', () => {
  const tag = newestRelease();
  const released =
    tag === undefined ? text : runTool('git', ['show', `${tag}:docs/openapi.json`], repositoryRoot);
  const found = apiBreaks(JSON.parse(released) as ApiDocument, present);
  expect(found.filter((each) => !announced.includes(each))).toEqual([]);
});

test('an action, a newer name, a field of an answer, or a value of an input that is gone is found', () => {
  const without = (name: string): ApiDocument => {
    const { [path(name)]: _, ...paths } = present.paths;
    return { ...present, paths };
  };
  expect(apiBreaks(present, without('users_Query'))).toEqual(['users_Query is gone']);
  expect(apiBreaks(without('users_Query'), present)).toEqual([]);
  const renamed = JSON.parse(text.replace('"maxDeviceCount":', '"deviceQuota":')) as ApiDocument;
  expect(apiBreaks(present, renamed)).toEqual(['projects_GetProjectDetails output.maxDeviceCount is gone']);
  const name = 'projects_CreateWebhook';
  const later = structuredClone(present.paths[path(name)]);
  inputOf(later).properties.format?.enum.pop();
  expect(
    apiBreaks(present, { ...present, paths: { ...present.paths, [path(name)]: later as never } }),
  ).toEqual([`${name} input.format no longer takes Alertmanager`]);
});

test('a field of an input that is required now, and one of an answer that may be absent now, are found', () => {
  const name = 'projects_CreateDeploymentToken';
  const later = structuredClone(present.paths[path(name)]);
  inputOf(later).required.push('flags');
  schemaOf(later?.post.responses['200']).required.pop();
  expect(
    apiBreaks(present, { ...present, paths: { ...present.paths, [path(name)]: later as never } }),
  ).toEqual([`${name} input.flags is required now`, `${name} output.token may be absent now`]);
});

type Changeable = { -readonly [Key in keyof Schema]: Schema[Key] };

/** All schemas within one, but not those that it refers to. */
function schemasIn(schema: Schema): Changeable[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const inner = [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf] as unknown[];
  return [
    schema,
    ...inner
      .filter((each): each is Schema => typeof each === 'object' && each !== null)
      .flatMap((each) => schemasIn(each)),
  ];
}

/** A change, or undefined for a schema that it does not concern. */
type Mutation = (schema: Changeable) => Schema | undefined;
const isText = ({ type, enum: words, const: word }: Schema): boolean =>
  type === 'string' && words === undefined && word === undefined;
const kinds = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf;
const withoutField: Mutation = ({ properties, ...rest }) => {
  const [first, ...others] = Object.entries(properties ?? {});
  return first && { ...rest, properties: Object.fromEntries(others) };
};
const ofBoth: Record<string, Mutation> = {
  'a field less': withoutField,
  'another constant': (schema) => (schema.const === undefined ? undefined : { ...schema, const: 'Else' }),
  'another type': (schema) => (schema['type'] === undefined ? undefined : { ...schema, type: 'else' }),
  'a kind less': (schema) => kinds(schema) && { anyOf: kinds(schema)!.slice(1) },
  'another named schema': (schema) =>
    schema.$ref === undefined ? undefined : { $ref: '#/components/schemas/Else' },
};
const mutations: Record<'input' | 'output', Record<string, Mutation>> = {
  input: {
    ...ofBoth,
    'a value less': (schema) => schema.enum && { ...schema, enum: schema.enum.slice(1) },
    'a shorter text': (schema) => (isText(schema) ? { ...schema, maxLength: 1 } : undefined),
    'a pattern': (schema) => (isText(schema) ? { ...schema, pattern: '^Else$' } : undefined),
    'only one word': (schema) => (isText(schema) ? { ...schema, enum: ['Else'] } : undefined),
    'a larger least number': (schema) =>
      schema['type'] === 'integer' ? { ...schema, minimum: 2 ** 54 } : undefined,
    'a fuller list': (schema) => (schema['type'] === 'array' ? { ...schema, minItems: 99 } : undefined),
    'a needed field more': (schema) =>
      schema.properties && { ...schema, required: [...(schema.required ?? []), 'else'] },
    'no further fields': (schema) =>
      schema['type'] !== 'object' || schema.additionalProperties === false
        ? undefined
        : { ...schema, additionalProperties: false },
  },
  output: {
    ...ofBoth,
    'a field that may be absent': (schema) =>
      schema.required?.length ? { ...schema, required: schema.required.slice(1) } : undefined,
    'nothing too': (schema) =>
      schema['type'] === undefined || schema['type'] === 'null'
        ? undefined
        : { anyOf: [schema, { type: 'null' }] },
    'any text': (schema) => ((schema.enum ?? schema.const) === undefined ? undefined : { type: 'string' }),
    'a larger number': (schema) =>
      schema['maximum'] === undefined ? undefined : { ...schema, maximum: 2 ** 60 },
    'another form': (schema) => (schema['format'] === undefined ? undefined : { ...schema, format: 'else' }),
  },
};

/** The schemas of a document on one side, each different one once: those of actions with a document of the action alone, and the named ones. */
function placesOf(document: ApiDocument, side: 'input' | 'output') {
  const ofActions = Object.entries(document.paths).flatMap(([path, { post }]) => {
    const { content } = side === 'input' ? post.requestBody : post.responses['200']!;
    const schema = content?.['application/json'].schema;
    return schema === undefined ? [] : [{ schema, only: [path] }];
  });
  const named = Object.entries(document.components.schemas)
    .filter(([name]) => side === 'output' || name !== 'Error')
    .map(([, schema]) => ({ schema, only: Object.keys(document.paths) }));
  return new Map([...ofActions, ...named].map((place) => [JSON.stringify(place.schema), place])).values();
}

const partOf = ({ components, paths }: ApiDocument, names: readonly string[]): ApiDocument => ({
  components,
  paths: Object.fromEntries(names.map((name) => [name, paths[name]!])),
});

function replace(schema: Changeable, by: Schema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, by);
}

test.each(
  (['input', 'output'] as const).flatMap((side) =>
    Object.entries(mutations[side]).map(([name, mutate]) => ({ side, name, mutate })),
  ),
)('$name is found in each $side', ({ side, mutate }) => {
  const later = JSON.parse(text) as ApiDocument;
  let count = 0;
  const missed: Schema[] = [];
  for (const { schema: whole, only } of placesOf(later, side)) {
    const [before, after] = [partOf(present, only), partOf(later, only)];
    for (const schema of schemasIn(whole)) {
      const was = { ...schema };
      const changed = mutate(was);
      if (changed === undefined) continue;
      count += 1;
      replace(schema, changed);
      if (apiBreaks(before, after).length === 0) missed.push(was);
      replace(schema, was);
    }
  }
  expect(count).toBeGreaterThan(0);
  expect(missed).toEqual([]);
  expect(apiBreaks(present, later)).toEqual([]);
});
