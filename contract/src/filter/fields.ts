import { editDistance } from '../near-names.ts';
import type { Comparison, FilterOperator } from './filter.ts';
import { FilterError } from './FilterError.ts';
import { durationsLike, readDuration, readTime } from './values.ts';

/** The type of the values of a field; those of `any` are written by devices and have any type. */
export type FieldKind = 'text' | 'choice' | 'flag' | 'duration' | 'time' | 'any';

/** A field of the rows of a list. */
export interface FilterField {
  readonly kind: FieldKind;
  /** The values of a `choice`. */
  readonly choices?: readonly string[];
}

/** The fields that the rows of a list have. */
export interface FilterFields {
  readonly named: Readonly<Record<string, FilterField>>;
  /** Names that stand before a further name, such as `label` in `label.ring`. */
  readonly groups?: readonly string[];
  /** The names of properties; a path into the value may follow them. */
  readonly properties?: readonly string[];
}

/** A field that a filter names. */
export interface FoundField {
  /** The name of the field, of the group, or of the property. */
  readonly name: string;
  readonly from: 'named' | 'group' | 'property';
  readonly field: FilterField;
  /** The rest of the name after a group or a property. */
  readonly path: string;
}

const flags = ['true', 'false'];
const anything: FilterField = { kind: 'any' };
const operators: Readonly<Record<FieldKind, readonly FilterOperator[]>> = {
  text: [':', '=', '!='],
  choice: [':', '=', '!='],
  flag: [':', '=', '!='],
  duration: ['<', '<=', '>', '>='],
  time: ['<', '<=', '>', '>='],
  any: [':', '=', '!=', '<', '<=', '>', '>='],
};

/** The operators that a field supports. */
export function operatorsOf({ kind }: FilterField): readonly FilterOperator[] {
  return operators[kind];
}

/** The known values of a field; for durations those that begin with `begun`. */
export function valuesOf({ kind, choices = [] }: FilterField, begun: string): readonly string[] {
  if (kind === 'flag') return flags;
  return kind === 'duration' || kind === 'time' ? durationsLike(begun) : choices;
}

/** Whether a field exists in every project: a named one, or one below a group. */
export function isFixedField(name: string, { named, groups = [] }: FilterFields): boolean {
  return Object.hasOwn(named, name) || groups.some((group) => name.startsWith(`${group}.`));
}

/** Whether the rows have the named fields alone: what devices report stands in groups and properties. */
export function hasOnlyNamedFields({ groups = [], properties = [] }: FilterFields): boolean {
  return groups.length === 0 && properties.length === 0;
}

/** The field with this name. If several properties are a prefix of it, the longest. Throws a `FilterError` with the nearest names. */
export function findField(name: string, at: number, fields: FilterFields): FoundField {
  if (Object.hasOwn(fields.named, name))
    return { name, from: 'named', field: fields.named[name] ?? anything, path: '' };
  const group = fields.groups?.find((one) => name.startsWith(`${one}.`) && name.length > one.length + 1);
  if (group !== undefined)
    return { name: group, from: 'group', field: anything, path: name.slice(group.length + 1) };
  const properties = (fields.properties ?? []).filter((one) => name === one || name.startsWith(`${one}.`));
  const longest = properties.toSorted((one, other) => other.length - one.length)[0];
  if (longest !== undefined)
    return { name: longest, from: 'property', field: anything, path: name.slice(longest.length + 1) };
  throw new FilterError(`there is no field "${name}".${suggestion(name, fields)}`, at);
}

/** The field that a word by itself is a condition on, ignoring case; undefined for other words. */
export function flagOf({ named }: FilterFields): (word: string) => string | undefined {
  const names = Object.keys(named).filter((name) => named[name]?.kind === 'flag');
  return (word) => choiceOf(names, word);
}

/** Throws a `FilterError` for an operator or a value that the field cannot be compared with. */
export function validateComparison(
  { operator, values, field: name, at }: Comparison,
  { field }: FoundField,
): void {
  const { kind, choices = [] } = field;
  if (!operators[kind].includes(operator))
    throw new FilterError(`"${name}" can be compared by ${listed(operators[kind], 'and')} only.`, at);
  const allowed = kind === 'flag' ? flags : choices;
  for (const value of values) {
    const isWrong = allowed.length > 0 && (value.isPrefix || choiceOf(allowed, value.text) === undefined);
    if (isWrong) throw new FilterError(`"${name}" is one of ${listed(allowed, 'and')}.`, value.at);
    if (kind === 'duration') readDuration(value);
    if (kind === 'time') readTime(value, new Date(0));
  }
}

/** The choice that a value names, ignoring case. */
export function choiceOf(choices: readonly string[], value: string): string | undefined {
  return choices.find((one) => one.toLowerCase() === value.toLowerCase());
}

const maxSuggestions = 3;

function suggestion(name: string, { named, groups = [], properties = [] }: FilterFields): string {
  const known = [...Object.keys(named), ...groups.map((group) => `${group}.…`), ...properties];
  const near = known
    .map((one) => ({ one, errors: errorsBetween(name, one) }))
    .filter(({ errors }) => errors < Infinity)
    .toSorted((left, right) => left.errors - right.errors)
    .slice(0, maxSuggestions)
    .map(({ one }) => one);
  if (near.length > 0) return ` Did you mean ${listed(near, 'or')}?`;
  return ` Put it in quotation marks to look for the text.`;
}

const maxCompared = 64;

/** Typing errors in the name, or in the last part of the known one; infinitely many where it is another name. */
function errorsBetween(name: string, known: string): number {
  if (name.length > maxCompared || known.length > maxCompared) return Infinity;
  const [first = ''] = name.split('.');
  const last = known.slice(known.lastIndexOf('.') + 1);
  const pairs: [string, string][] = [
    [name, known],
    [name, last],
    [first, known],
  ];
  const errors = pairs.map(([left, right]) => {
    const count = editDistance(left.toLowerCase(), right.toLowerCase());
    return count <= Math.max(1, Math.floor(right.length / 4)) && right.length > 2 ? count : Infinity;
  });
  return Math.min(...errors);
}

/** Words as a person lists them: `a, b or c`. */
function listed(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
