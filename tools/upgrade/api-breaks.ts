import { isDeepStrictEqual } from 'node:util';

/** The parts of an OpenAPI document that clients rely on. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Body {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

type Side = 'input' | 'output';

/** Where two schemas are compared. */
interface Place {
  readonly before: ApiDocument;
  readonly after: ApiDocument;
  readonly side: Side;
  readonly path: string;
  /** The named schemas that were met, each behind its side. */
  readonly named: Set<string>;
}

/** What a client of an earlier document can no longer do or read with a later one; empty if the API has only grown. */
export function apiBreaks(before: ApiDocument, after: ApiDocument): string[] {
  const named = new Set<string>();
  const at = (side: Side, path: string): Place => ({ before, after, side, path, named });
  const found = Object.entries(before.paths).flatMap(([path, { post }]) => {
    const later = after.paths[path]?.post;
    const name = post.operationId;
    if (later === undefined) return [`${name} is gone`];
    return [
      ...breaksOfBody(post.requestBody, later.requestBody, at('input', `${name} input`)),
      ...Object.entries(post.responses).flatMap(([status, body]) => {
        const what = status === '200' ? 'output' : status;
        return breaksOfBody(body, later.responses[status], at('output', `${name} ${what}`));
      }),
    ];
  });
  // Those that they refer to are added meanwhile.
  for (const key of named) {
    const [side, ref] = key.split(' ') as [Side, string];
    const place = at(side, `${ref.split('/').at(-1)} ${side}`);
    found.push(...breaks(referredTo<Schema>(ref, before), referredTo(ref, after), place));
  }
  return found;
}

function breaksOfBody(before: Body, after: Body | undefined, place: Place): string[] {
  // The newer name of an action refers to it.
  if (before.$ref !== undefined && before.$ref === after?.$ref) return [];
  const [earlier, later] = [inline(before, place.before), after && inline(after, place.after)];
  const schema = earlier.content?.['application/json'].schema;
  return schema === undefined ? [] : breaks(schema, later?.content?.['application/json'].schema, place);
}

const inline = <Value extends { readonly $ref?: string }>(value: Value, document: ApiDocument): Value =>
  value.$ref === undefined ? value : referredTo(value.$ref, document);

function referredTo<Value>(ref: string, document: ApiDocument): Value {
  const keys = ref
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/'));
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document) as Value;
}

function breaks(before: Schema, after: Schema | undefined, place: Place): string[] {
  if (after === undefined) return [`${place.path} is gone`];
  if (before.$ref === undefined || after.$ref === undefined)
    return breaksOfKinds(inline(before, place.before), inline(after, place.after), place);
  if (before.$ref !== after.$ref) return [`${place.path} is ${after.$ref} now`];
  place.named.add(`${place.side} ${before.$ref}`);
  return [];
}

const kindsOf = (schema: Schema): readonly Schema[] => schema.oneOf ?? schema.anyOf ?? [schema];

function breaksOfKinds(before: Schema, after: Schema, place: Place): string[] {
  const [kinds, later] = [kindsOf(before), kindsOf(after)];
  if (kinds[0] === before && later[0] === after) return breaksOfKind(before, after, place);
  const lost = unlike(kinds, later, (left, right) => breaks(left, right, place).length === 0);
  // One more word that tells kinds apart is like one more value of an enumeration.
  const further =
    place.side === 'input'
      ? []
      : unlike(later, kinds, (left, right) => breaks(right, left, place).length === 0).filter(
          (each) => kinds.length === 1 || wordsOf(each) === '',
        );
  return [
    ...lost.map((each) => `${place.path} has lost or changed its kind ${nameOf(each)}`),
    ...further.map((each) => `${place.path} may be ${nameOf(each)} now`),
  ];
}

/** Those to which none of the others fits; most are in their old places. */
function unlike(
  schemas: readonly Schema[],
  others: readonly Schema[],
  fits: (schema: Schema, other: Schema) => boolean,
): Schema[] {
  return schemas.filter(
    (schema, index) => ![others[index] ?? [], others].flat().some((other) => fits(schema, other)),
  );
}

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.const === undefined ? schema.enum : [schema.const];
const wordsOf = ({ properties = {} }: Schema): string =>
  Object.values(properties)
    .flatMap((each) => valuesOf(each) ?? [])
    .join(' ');
const nameOf = (kind: Schema): string => wordsOf(kind) || String(kind['type'] ?? kind.$ref);

/** These are compared field by field, or say nothing of values. */
const ownWay = new Set(
  'properties required items propertyNames additionalProperties enum const description default'.split(' '),
);

function breaksOfKind(before: Schema, after: Schema, place: Place): string[] {
  const { path, side } = place;
  const isInput = side === 'input';
  // What is taken may only grow, and what is answered only shrink.
  const [smaller, larger] = isInput ? [before, after] : [after, before];
  const inner = (earlier: unknown, later: unknown, name: string): string[] =>
    breaks(earlier as Schema, later as Schema | undefined, { ...place, path: `${path}${name}` });
  return [
    ...Object.keys(larger)
      .filter(
        (keyword) => !ownWay.has(keyword) && !isWithin(keyword, smaller[keyword], larger[keyword], side),
      )
      .map((keyword) => `${path} has another ${keyword}`),
    ...lostValues(before, after, side).map(
      (what) => `${path} ${isInput ? 'no longer takes' : 'is no longer'} ${String(what)}`,
    ),
    ...(larger.required ?? [])
      .filter((field) => smaller.required?.includes(field) !== true)
      .map((field) => `${path}.${field} ${isInput ? 'is required now' : 'may be absent now'}`),
    ...Object.entries(before.properties ?? {}).flatMap(([field, schema]) =>
      inner(schema, after.properties?.[field], `.${field}`),
    ),
    ...['items', 'propertyNames']
      .filter((keyword) => larger[keyword] !== undefined)
      .flatMap((keyword) => inner(before[keyword] ?? {}, after[keyword] ?? {}, ` ${keyword}`)),
    ...breaksOfFurther(
      before.additionalProperties ?? true,
      after.additionalProperties ?? true,
      isInput,
      inner,
    ),
  ];
}

/** Whether the values that one value of a keyword allows are among those of another; an answer may become longer, as it may get further values. */
function isWithin(keyword: string, smaller: unknown, larger: unknown, side: Side): boolean {
  if (side === 'output' && /(?:Length|Items|Properties)$/.test(keyword)) return true;
  if (typeof smaller !== 'number' || typeof larger !== 'number') return isDeepStrictEqual(smaller, larger);
  return /^(?:exclusiveM|m)ax/.test(keyword)
    ? smaller <= larger
    : /^(?:exclusiveM|m)in/.test(keyword)
      ? smaller >= larger
      : smaller === larger;
}

/** The values that an input takes no longer; of an answer those of which none is left, since it may have further ones. */
function lostValues(before: Schema, after: Schema, side: Side): unknown[] {
  const [earlier, later] = [valuesOf(before), valuesOf(after)];
  if (side === 'input') {
    if (later === undefined) return [];
    return earlier === undefined ? ['all values'] : earlier.filter((value) => !later.includes(value));
  }
  if (earlier === undefined) return [];
  if (later === undefined) return ['one of several words'];
  return earlier.some((value) => later.includes(value)) ? [] : [earlier.join(' or ')];
}

/** Breaks of fields that are not named. */
function breaksOfFurther(
  before: Schema | boolean,
  after: Schema | boolean,
  isInput: boolean,
  inner: (earlier: Schema, later: Schema | undefined, name: string) => string[],
): string[] {
  if (before === false || (isInput ? after : before) === true) return [];
  return inner(
    before === true ? {} : before,
    after === true ? {} : after === false ? undefined : after,
    ' further fields',
  );
}
