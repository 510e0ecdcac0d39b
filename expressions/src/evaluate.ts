import { compareValues, isEqual, type Work } from './compare.ts';
import { clipped, EvaluationFailure, outcomeOf, type Outcome } from './evaluation-error.ts';
import type { Expr, Json, Operands, Order } from './expression.ts';
import { kindOf, valueAt } from './paths.ts';
import { RequirementError, VersionError, meetsRequirement } from './versions.ts';

/** The values that an expression can name: the properties of one device. */
export type Scope = ReadonlyMap<string, Json>;

/** Comparisons of small values in one evaluation, whatever the expression and the properties: some milliseconds. */
const maxSteps = 100_000;

/** The value of an expression outside of a mutation. */
export function evaluate(expr: Expr, scope: Scope): Outcome<Json> {
  return outcomeOf(() => new Evaluation(scope, undefined).value(expr, ''));
}

/** Whether a predicate holds; one that ends in another value than a boolean is an error. */
export function evaluatePredicate(predicate: Expr, scope: Scope): Outcome<boolean> {
  return outcomeOf(() => new Evaluation(scope, undefined).truth(predicate, ''));
}

type Of<Kind extends Expr['kind']> = Extract<Expr, { readonly kind: Kind }>;

const orders: Readonly<Record<Order, (difference: number) => boolean>> = {
  LessThan: (difference) => difference < 0,
  LessThanOrEquals: (difference) => difference <= 0,
  GreaterThan: (difference) => difference > 0,
  GreaterThanOrEquals: (difference) => difference >= 0,
};

/** Evaluates expressions with one allowance of work; its methods throw an `EvaluationFailure`. */
export class Evaluation {
  readonly #scope: Scope;
  readonly #current: Json | undefined;
  #stepsLeft = maxSteps;

  /** `current` is the value that a mutation changes; undefined outside of one. */
  constructor(scope: Scope, current: Json | undefined) {
    this.#scope = scope;
    this.#current = current;
  }

  /** The value of an expression that stands at a place. */
  value(expr: Expr, place: string): Json {
    switch (expr.kind) {
      case 'Literal':
        return expr.value;
      case 'Current':
        return this.#currentValue(place);
      case 'NamedValue':
        return this.#named(expr, place);
      case 'Get':
        return this.#get(expr, place);
      default:
        return this.truth(expr, place);
    }
  }

  /** The value of an expression that must be a boolean. */
  truth(expr: Expr, place: string): boolean {
    switch (expr.kind) {
      case 'Equals':
        return this.#areEqual(expr, place);
      case 'NotEquals':
        return !this.#areEqual(expr, place);
      case 'In':
        return this.#isIn(expr, place);
      case 'And':
        return expr.exprs.every((one, index) => this.truth(one, below(place, `exprs.${index}`)));
      case 'Or':
        return expr.exprs.some((one, index) => this.truth(one, below(place, `exprs.${index}`)));
      case 'Not':
        return !this.truth(expr.expr, below(place, 'expr'));
      case 'Exists':
        return this.#unlessMissing(expr, place) !== undefined;
      case 'VersionRequirement':
        return this.#meets(expr, place);
      case 'Literal':
      case 'Current':
      case 'NamedValue':
      case 'Get':
        return booleanIn(this.value(expr, place), place);
      default:
        return this.#isOrdered(expr, place);
    }
  }

  #currentValue(place: string): Json {
    if (this.#current !== undefined) return this.#current;
    throw new EvaluationFailure('NoCurrent', place, 'only a mutation has a current value.');
  }

  #named(expr: Of<'NamedValue'>, place: string): Json {
    const value = this.#scope.get(expr.name);
    if (value !== undefined) return value;
    if (expr.default !== undefined) return this.value(expr.default, below(place, 'default'));
    throw new EvaluationFailure('Missing', place, `the device has no property "${expr.name}".`);
  }

  #get(expr: Of<'Get'>, place: string): Json {
    const found = expr.default === undefined ? this.#find(expr, place) : this.#unlessMissing(expr, place);
    if (found !== undefined) return found;
    if (expr.default !== undefined) return this.value(expr.default, below(place, 'default'));
    const path = clipped(expr.path.join(', '));
    throw new EvaluationFailure('Missing', place, `there is no value at the path [${path}].`);
  }

  /** What is at the path of an expression; undefined also where a name inside of it is missing. */
  #unlessMissing(expr: Of<'Get' | 'Exists'>, place: string): Json | undefined {
    try {
      return this.#find(expr, place);
    } catch (error) {
      if (!(error instanceof EvaluationFailure && error.kind === 'Missing')) throw error;
      this.#work(place)(stepsPerFailure);
      return undefined;
    }
  }

  #find({ expr, path }: Of<'Get' | 'Exists'>, place: string): Json | undefined {
    this.#work(place)(path.length);
    return valueAt(this.value(expr, below(place, 'expr')), path);
  }

  #both({ left, right }: Operands, place: string): [Json, Json] {
    return [this.value(left, below(place, 'left')), this.value(right, below(place, 'right'))];
  }

  #areEqual(expr: Operands, place: string): boolean {
    const [left, right] = this.#both(expr, place);
    return isEqual(left, right, this.#work(place));
  }

  #isOrdered(expr: Operands & { readonly kind: Order }, place: string): boolean {
    const [left, right] = this.#both(expr, place);
    const difference = compareValues(left, right, this.#work(place));
    if (difference !== undefined) return orders[expr.kind](difference);
    const kinds = `${kindOf(left)} with ${kindOf(right)}`;
    throw wrongType(place, `two numbers or two texts have an order; this compares ${kinds}.`);
  }

  #isIn(expr: Operands, place: string): boolean {
    const [left, right] = this.#both(expr, place);
    if (!Array.isArray(right))
      throw wrongType(below(place, 'right'), `this must be an array; it is ${kindOf(right)}.`);
    const work = this.#work(place);
    return right.some((item) => isEqual(left, item, work));
  }

  #meets({ expr, requirement }: Of<'VersionRequirement'>, place: string): boolean {
    const version = this.value(expr, below(place, 'expr'));
    if (typeof version !== 'string')
      throw wrongType(below(place, 'expr'), `a version is a text; this is ${kindOf(version)}.`);
    this.#work(place)(stepsPerVersion + requirement.length * stepsPerRequirementCharacter);
    try {
      return meetsRequirement(version, requirement);
    } catch (error) {
      if (error instanceof VersionError)
        throw new EvaluationFailure('BadVersion', below(place, 'expr'), error.message);
      if (error instanceof RequirementError)
        throw new EvaluationFailure('BadRequirement', below(place, 'requirement'), error.message);
      throw error;
    }
  }

  #work(place: string): Work {
    return (steps) => {
      this.#stepsLeft -= steps;
      if (this.#stepsLeft < 0)
        throw new EvaluationFailure(
          'TooMuchWork',
          place,
          'this compares more values than one evaluation may.',
        );
    };
  }
}

/** What a name that is missing takes beside the comparison of two small values. */
const stepsPerFailure = 100;
/** What reading a version, and a character of its requirement, takes beside the comparison of two small values. */
const stepsPerVersion = 100;
const stepsPerRequirementCharacter = 4;

/** The place of a part of an expression. */
function below(place: string, part: string): string {
  return place === '' ? part : `${place}.${part}`;
}

function booleanIn(value: Json, place: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrongType(place, `this must be true or false; it is ${kindOf(value)}.`);
}

function wrongType(place: string, sentence: string): EvaluationFailure {
  return new EvaluationFailure('WrongType', place, sentence);
}
