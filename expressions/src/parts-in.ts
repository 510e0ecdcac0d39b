import type { Expr, Json, Path } from './expression.ts';
import { isObject } from './paths.ts';
import { operandsOf } from './names-in.ts';

/** Which parts of the properties of a device some expressions read, as paths by name: with these in its place an expression has the same value or error. The empty path is the whole property. */
export function partsIn(exprs: readonly Expr[]): ReadonlyMap<string, readonly Path[]> {
  const parts = new Map<string, Map<string, Path>>();
  const note = (name: string, path: Path): void => {
    const paths = parts.get(name) ?? new Map<string, Path>();
    parts.set(name, paths.set(JSON.stringify(path), path));
  };
  const pending = [...exprs];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one.kind === 'NamedValue') note(one.name, []);
    if ((one.kind === 'Get' || one.kind === 'Exists') && one.expr.kind === 'NamedValue') {
      note(one.expr.name, one.path);
      pending.push(...operandsOf(one.expr));
      if ('default' in one && one.default !== undefined) pending.push(one.default);
    } else for (const operand of operandsOf(one)) pending.push(operand);
  }
  return new Map([...parts].map(([name, paths]) => [name, [...paths.values()]]));
}

/** A value that has the same at these paths as the one that they were read from, undefined where that had nothing. What was read is changed. */
export function fromParts(paths: readonly Path[], found: readonly (Json | undefined)[]): Json {
  const parts = paths.map((path, index) => ({ path, found: found[index] }));
  // Outer parts first: the others are in them.
  return parts
    .toSorted((one, other) => one.path.length - other.path.length)
    .reduce<Json>(
      (value, part) => (part.found === undefined ? value : withPart(value, part.path, part.found)),
      null,
    );
}

function withPart(value: Json | undefined, [segment, ...rest]: Path, found: Json): Json {
  if (segment === undefined) return found;
  if (typeof segment === 'number') {
    const items = Array.isArray(value) ? value : [];
    items[segment] = withPart(items[segment], rest, found);
    return items;
  }
  const fields = isObject(value) ? value : {};
  const before = Object.hasOwn(fields, segment) ? fields[segment] : undefined;
  return { ...fields, [segment]: withPart(before, rest, found) };
}
