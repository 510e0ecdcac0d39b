import { Evaluation, type Scope } from './evaluate.ts';
import { clipped, EvaluationFailure, outcomeOf, type Outcome } from './evaluation-error.ts';
import type { Json, Mutation, Path, PathSegment } from './expression.ts';
import { childOf, isObject, kindOf, valueAt } from './paths.ts';

/** How deep a value may be nested that a call sets: its input, an object, may have one level more. */
const maxDepth = 31;

/**
 * The value after a mutation; undefined where nothing is left of it. `current` is the value before, undefined where there is none; neither it nor what the expression names is changed.
 * Objects that are missing on the way to a key are made; an index must exist or be the next one; other values on the way are an error. Removing what is not there changes nothing.
 */
export function applyMutation(
  mutation: Mutation,
  current: Json | undefined,
  scope: Scope,
): Outcome<Json | undefined> {
  return outcomeOf(() => {
    if (mutation.mutation === 'Remove')
      return current === undefined ? undefined : without(current, mutation.path);
    const value = new Evaluation(scope, current ?? null).value(mutation.expr, 'expr');
    // Of what is there already nothing gets deeper.
    if (isDeeperThan(value, maxDepth - mutation.path.length))
      throw new EvaluationFailure('TooDeep', '', `the result is nested deeper than ${maxDepth} levels.`);
    const placed = mutation.mutation === 'Set' ? value : merged(targetOf(mutation.path, current), value);
    return placedAt({ target: current, path: mutation.path, depth: 0, value: placed });
  });
}

function targetOf(path: Path, current: Json | undefined): Json | undefined {
  return current === undefined ? undefined : valueAt(current, path);
}

/** RFC 7386: fields of the patch that are null are removed, objects are merged, other values replace. */
function merged(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  // A copy is several times as fast as a map of the entries.
  const fields: Fields = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] as Json;
    if (value === null) delete fields[key];
    else setField(fields, key, merged(childOf(fields, key), value));
  }
  return fields;
}

type Fields = { [key: string]: Json };

/** Also a field `__proto__`, which an assignment would not make. */
function setField(fields: Fields, key: string, value: Json): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

interface Placing {
  readonly target: Json | undefined;
  readonly path: Path;
  readonly depth: number;
  readonly value: Json;
}

/** The target with the value at the path below `depth`. */
function placedAt({ target, path, depth, value }: Placing): Json {
  const segment = path[depth];
  if (segment === undefined) return value;
  const container = target === undefined ? emptyFor(segment) : target;
  const child = placedAt({ target: childAt(container, segment, depth), path, depth: depth + 1, value });
  return withChild(container, segment, child);
}

function emptyFor(segment: PathSegment): Json {
  return typeof segment === 'number' ? [] : {};
}

/** What is to be replaced; undefined where the container has none yet. */
function childAt(container: Json, segment: PathSegment, depth: number): Json | undefined {
  const place = `path.${depth}`;
  if (typeof segment === 'string') {
    if (isObject(container)) return childOf(container, segment);
    throw badPath(
      place,
      `the key "${clipped(segment)}" leads into ${kindOf(container)}, not into an object.`,
    );
  }
  if (!Array.isArray(container))
    throw badPath(place, `the index ${segment} leads into ${kindOf(container)}, not into an array.`);
  if (segment <= container.length) return container[segment];
  throw badPath(
    place,
    `the array has ${container.length} elements: the index ${segment} is behind the next one.`,
  );
}

function badPath(place: string, sentence: string): EvaluationFailure {
  return new EvaluationFailure('BadPath', place, sentence);
}

/** A computed key makes a field of its own, also where it is `__proto__`. */
function withChild(container: Json, segment: PathSegment, child: Json): Json {
  if (typeof segment === 'string') return { ...(container as Fields), [segment]: child };
  return (container as Json[]).toSpliced(segment, 1, child);
}

/** The value without what is at the path. */
function without(value: Json, [segment, ...rest]: Path): Json | undefined {
  if (segment === undefined) return undefined;
  const child = childOf(value, segment);
  if (child === undefined) return value;
  const left = without(child, rest);
  if (left !== undefined) return withChild(value, segment, left);
  if (Array.isArray(value)) return value.filter((_, index) => index !== segment);
  const fields = { ...(value as Fields) };
  delete fields[segment];
  return fields;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (!Array.isArray(value) && !isObject(value)) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
