import type { EvaluationErrorKind } from '../src/evaluation-error.ts';
import type { Expr, Json, Mutation, Path } from '../src/expression.ts';

/**
 * A slow evaluator that follows the sentences of the documentation one by one: values are turned into canonical texts, numbers are compared as decimal fractions, and every answer is a tuple. It
 * shares no code with the package. Versions are not its business: the caller says what a requirement answers.
 */
export type Answer = ['value', Json] | ['error', EvaluationErrorKind] | ['gone'];

/** Stands for a property that does not exist. */
export const absent = Symbol('absent');

export interface World {
  readonly properties: Readonly<Record<string, Json>>;
  /** In a mutation, the value before. */
  readonly current?: Json | typeof absent;
  readonly meets: (version: string, requirement: string) => Answer;
}

const value = (of: Json): Answer => ['value', of];
const error = (kind: EvaluationErrorKind): Answer => ['error', kind];

export function answerOf(expr: Expr, world: World): Answer {
  const rules: { [Kind in Expr['kind']]: (one: Expr & { kind: Kind }) => Answer } = {
    Literal: (one) => value(one.value),
    Current: () => {
      if (world.current === undefined) return error('NoCurrent');
      return value(world.current === absent ? null : world.current);
    },
    NamedValue: (one) => {
      const found = Object.entries(world.properties).filter(([name]) => name === one.name);
      if (found.length === 1) return value(found[0]![1]);
      return one.default ? answerOf(one.default, world) : error('Missing');
    },
    Get: (one) => {
      const found = resolve(answerOf(one.expr, world), one.path);
      const isMissing = found[0] === 'error' && found[1] === 'Missing';
      return isMissing && one.default ? answerOf(one.default, world) : found;
    },
    Exists: (one) => {
      const found = resolve(answerOf(one.expr, world), one.path);
      if (found[0] === 'error') return found[1] === 'Missing' ? value(false) : found;
      return value(true);
    },
    Equals: (one) => both(one, (left, right) => value(canonical(left) === canonical(right))),
    NotEquals: (one) => both(one, (left, right) => value(canonical(left) !== canonical(right))),
    LessThan: (one) => ordered(one, [-1]),
    LessThanOrEquals: (one) => ordered(one, [-1, 0]),
    GreaterThan: (one) => ordered(one, [1]),
    GreaterThanOrEquals: (one) => ordered(one, [1, 0]),
    In: (one) =>
      both(one, (left, right) =>
        Array.isArray(right) ? value(new Set(right.map(canonical)).has(canonical(left))) : error('WrongType'),
      ),
    And: (one) => firstThatDecides(one.exprs, false),
    Or: (one) => firstThatDecides(one.exprs, true),
    Not: (one) => {
      const answer = truthOf(one.expr);
      return answer[0] === 'value' ? value(answer[1] === false) : answer;
    },
    VersionRequirement: (one) => {
      const answer = answerOf(one.expr, world);
      if (answer[0] !== 'value') return answer;
      return typeof answer[1] === 'string' ? world.meets(answer[1], one.requirement) : error('WrongType');
    },
  };

  function both(one: { left: Expr; right: Expr }, then: (left: Json, right: Json) => Answer): Answer {
    const [left, right] = [answerOf(one.left, world), answerOf(one.right, world)];
    if (left[0] !== 'value') return left;
    return right[0] === 'value' ? then(left[1], right[1]) : right;
  }

  function ordered(one: { left: Expr; right: Expr }, allowed: number[]): Answer {
    return both(one, (left, right) => {
      const order = orderOf(left, right);
      return order === undefined ? error('WrongType') : value(allowed.includes(order));
    });
  }

  function truthOf(one: Expr): Answer {
    const answer = answerOf(one, world);
    return answer[0] === 'value' && typeof answer[1] !== 'boolean' ? error('WrongType') : answer;
  }

  function firstThatDecides([first, ...rest]: readonly Expr[], decides: boolean): Answer {
    if (first === undefined) return value(!decides);
    const answer = truthOf(first);
    if (answer[0] !== 'value' || answer[1] === decides) return answer;
    return firstThatDecides(rest, decides);
  }

  const rule = rules[expr.kind] as (one: Expr) => Answer;
  return rule(expr);
}

export function predicateAnswer(expr: Expr, world: World): Answer {
  const answer = answerOf(expr, world);
  return answer[0] === 'value' && typeof answer[1] !== 'boolean' ? error('WrongType') : answer;
}

/** What is at the path: the list of all paths of the value is searched. */
function resolve(answer: Answer, path: Path): Answer {
  if (answer[0] !== 'value') return answer;
  const found = allPaths(answer[1]).find(([at]) => JSON.stringify(at) === JSON.stringify(path));
  return found === undefined ? error('Missing') : value(found[1]);
}

function allPaths(of: Json, at: Path = []): [Path, Json][] {
  const children: [string | number, Json][] = Array.isArray(of)
    ? of.map((item, index) => [index, item])
    : isRecord(of)
      ? Object.entries(of)
      : [];
  return [[at, of], ...children.flatMap(([step, child]) => allPaths(child, [...at, step]))];
}

function isRecord(of: Json): of is Record<string, Json> {
  return typeof of === 'object' && of !== null && !Array.isArray(of) && numberText(of) === undefined;
}

/** A text that two values share if they are the same JSON. */
function canonical(of: Json): string {
  const number = numberText(of);
  if (number !== undefined) return `number ${String(scaled(number, 400))}`;
  if (Array.isArray(of)) return `[${of.map(canonical).join()}]`;
  if (!isRecord(of)) return JSON.stringify(of);
  const fields = Object.keys(of).map((key) => `${JSON.stringify(key)}:${canonical(of[key]!)}`);
  return `{${fields.toSorted().join()}}`;
}

/** A number as JSON writes it. */
function numberText(of: Json): string | undefined {
  const text = JSON.stringify(of);
  return /^-?\d/.test(text) ? text : undefined;
}

/** The decimal fraction times a power of ten, exactly. */
function scaled(text: string, digits: number): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const shift = digits + Number(exponent) - fraction.length;
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(shift);
}

function orderOf(left: Json, right: Json): number | undefined {
  const [one, other] = [numberText(left), numberText(right)];
  if (one !== undefined && other !== undefined) return sign(scaled(one, 400) - scaled(other, 400));
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  const [points, others] = [[...left], [...right]].map((all) => all.map((each) => each.codePointAt(0)!));
  const at = points!.findIndex((point, index) => point !== others![index]);
  if (at === -1) return points!.length === others!.length ? 0 : -1;
  return at >= others!.length ? 1 : sign(BigInt(points![at]! - others![at]!));
}

function sign(of: bigint): number {
  return of === 0n ? 0 : of < 0n ? -1 : 1;
}

/** What a mutation makes of the current value, on a copy of it that is changed in place. */
export function mutationAnswer(mutation: Mutation, world: World): Answer {
  const current = world.current === undefined ? absent : world.current;
  const before = current === absent ? undefined : copyOf(current);
  if (mutation.mutation === 'Remove') return removed(before, mutation.path);
  const given = answerOf(mutation.expr, { ...world, current });
  if (given[0] !== 'value') return given;
  if (mutation.mutation === 'Set') return put(before, mutation.path, given[1]);
  const target = before === undefined ? error('Missing') : resolve(value(before), mutation.path);
  return put(before, mutation.path, mergePatch(target[0] === 'value' ? target[1] : undefined, given[1]));
}

function removed(before: Json | undefined, path: Path): Answer {
  if (before === undefined || path.length === 0) return ['gone'];
  const parent = resolve(value(before), path.slice(0, -1));
  const last = path.at(-1)!;
  if (parent[0] !== 'value') return value(before);
  const container = parent[1];
  if (Array.isArray(container) && typeof last === 'number') container.splice(last, 1);
  else if (isRecord(container) && typeof last === 'string') delete container[last];
  return value(before);
}

function put(before: Json | undefined, path: Path, given: Json): Answer {
  const root: Json = before === undefined ? {} : { root: before };
  let at = root as Record<string | number, Json>;
  const steps = ['root', ...path];
  for (const [index, step] of steps.entries()) {
    const fits = typeof step === 'number' ? Array.isArray(at) && step <= at.length : isRecord(at);
    if (!fits) return error('BadPath');
    const isLast = index === steps.length - 1;
    const isThere = Object.hasOwn(at, step);
    const next: Json | undefined = isLast
      ? copyOf(given)
      : isThere
        ? at[step]
        : typeof steps[index + 1] === 'number'
          ? []
          : {};
    define(at, step, next as Json);
    at = next as Record<string | number, Json>;
  }
  const result = (root as { root: Json }).root;
  return depthOf(result) > 31 ? error('TooDeep') : value(result);
}

/** The pseudocode of RFC 7386. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isRecord(patch)) return patch;
  const result: Record<string, Json> =
    target !== undefined && isRecord(target) ? (copyOf(target) as Record<string, Json>) : {};
  for (const [name, field] of Object.entries(patch)) {
    if (field === null) delete result[name];
    else define(result, name, mergePatch(Object.hasOwn(result, name) ? result[name] : undefined, field));
  }
  return result;
}

/** An assignment to `__proto__` would set the prototype. */
function define(at: object, key: string | number, field: Json): void {
  Object.defineProperty(at, key, { value: field, enumerable: true, writable: true, configurable: true });
}

function depthOf(of: Json): number {
  if (!Array.isArray(of) && !isRecord(of)) return 0;
  return 1 + Math.max(0, ...Object.values(of).map(depthOf));
}

/** Long integers are frozen, and stay what they are. */
function copyOf(of: Json): Json {
  if (Array.isArray(of)) return of.map(copyOf);
  if (!isRecord(of)) return of;
  return Object.fromEntries(Object.entries(of).map(([key, child]) => [key, copyOf(child)]));
}
