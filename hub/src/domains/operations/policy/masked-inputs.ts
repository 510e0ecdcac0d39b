import type { Json } from '@corral/contract';
import type { SecretPlace, Step } from '../sql/operations.ts';

/** What stands for a secret. */
const mask = '***';
/** Of a step with more of them the whole input is one. */
const maxPlaces = 1_000;
/** A schema that takes more steps or levels makes the whole input a secret. */
const maxSteps = 50_000;
const maxDepth = 100;

type SchemaObject = { readonly [key: string]: Json };

/** The places in steps that the schemas of the commands in a manifest, the value of the property of commands, say are only written. */
export function secretPlaces(steps: readonly Step[], manifest: Json | undefined): SecretPlace[] {
  const schemas = schemasIn(manifest);
  return steps.flatMap((step, index): SecretPlace[] => {
    const schema = step.kind === 'DeviceCommand' ? schemas.get(step.command) : undefined;
    if (step.kind !== 'DeviceCommand' || schema === undefined) return [];
    const search = new SecretSearch(schema);
    search.look(schema, step.input, []);
    return search.isTooLarge ? [[index]] : search.found.map((path) => [index, ...path]);
  });
}

/** Each place once. */
export function distinctPlaces(places: readonly SecretPlace[]): SecretPlace[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** The steps with the secrets at these places masked. */
export function maskedSteps<Given extends Step>(
  steps: readonly Given[],
  places: readonly SecretPlace[],
): Given[] {
  return steps.map((step, index) =>
    step.kind === 'DeviceCommand' ? { ...step, input: masked(step.input, placesIn(places, index)) } : step,
  );
}

type Way = readonly (string | number)[];

/** The ways that begin with a key, from there on. */
function placesIn(ways: readonly Way[], key: string | number): Way[] {
  return ways.filter(([first]) => first === key).map((way) => way.slice(1));
}

function masked(value: Json, ways: readonly Way[]): Json {
  if (ways.length === 0) return value;
  if (ways.some((way) => way.length === 0)) return mask;
  const byKey = Map.groupBy(ways, ([first]) => first);
  const part = (key: string | number, one: Json): Json => {
    const own = byKey.get(key);
    return own === undefined ? one : masked(one, placesIn(own, key));
  };
  if (Array.isArray(value)) return value.map((one: Json, index) => part(index, one));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, part(key, one)]));
}

function schemasIn(manifest: Json | undefined): ReadonlyMap<string, Json> {
  const commands = isObject(manifest) ? manifest['commands'] : undefined;
  const schemas = new Map<string, Json>();
  for (const command of Array.isArray(commands) ? commands : [])
    if (isObject(command) && typeof command['name'] === 'string' && command['input'] !== undefined)
      schemas.set(command['name'], command['input']);
  return schemas;
}

/** Looks for what a schema says is only written; of parts of which only one applies each counts. */
class SecretSearch {
  readonly found: Way[] = [];
  readonly #root: Json;
  #steps = 0;
  #depth = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  get isTooLarge(): boolean {
    return this.#steps > maxSteps || this.found.length > maxPlaces;
  }

  look(schema: Json | undefined, value: Json, way: Way): void {
    if (!isObject(schema) || this.isTooLarge) return;
    this.#steps += this.#depth >= maxDepth ? maxSteps : 1;
    if (schema['writeOnly'] === true) return void this.found.push(way);
    this.#depth += 1;
    for (const part of this.#alternatives(schema)) this.look(part, value, way);
    if (Array.isArray(value)) this.#lookInList(schema, value, way);
    else if (isObject(value)) this.#lookInObject(schema, value, way);
    this.#depth -= 1;
  }

  /** What a schema says of the same value. */
  #alternatives(schema: SchemaObject): (Json | undefined)[] {
    const { $ref, $dynamicRef, if: condition, then, else: otherwise, dependentSchemas } = schema;
    return [
      this.#target($ref),
      this.#target($dynamicRef),
      ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name])),
      condition,
      then,
      otherwise,
      ...(isObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
    ];
  }

  #target(reference: Json | undefined): Json | undefined {
    if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
    let target: Json | undefined = this.#root;
    for (const key of reference.slice(1).split('/').slice(1)) {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(target)) target = target[Number(name)];
      else target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    return target;
  }

  #lookInList(schema: SchemaObject, list: readonly Json[], way: Way): void {
    const { items, contains, additionalItems, unevaluatedItems } = schema;
    const first = listOf(schema['prefixItems'] ?? items);
    const all = [Array.isArray(items) ? undefined : items, contains, additionalItems, unevaluatedItems];
    for (const [index, one] of list.entries())
      for (const part of [first[index], ...all]) this.look(part, one, [...way, index]);
  }

  /** Regular expressions of a stranger are not tested: what one of them says counts for all fields. */
  #lookInObject(schema: SchemaObject, object: SchemaObject, way: Way): void {
    const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
    const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
    for (const [key, one] of Object.entries(object)) {
      const own = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
      const rest = own.length > 0 ? [] : [additionalProperties, unevaluatedProperties];
      for (const part of [...own, ...patterns, ...rest]) this.look(part, one, [...way, key]);
    }
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: Json | undefined): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
