import { nearestNames } from '../near-names.ts';
import type { Comparison, FilterOperator } from './filter.ts';
import { FilterError } from './FilterError.ts';
import { durationsLike, readDuration, readTime } from './values.ts';

/** The type of the values of a field; those of `any` are written by devices and have any type, a `version` is a text that may be one. */
export type FieldKind = 'text' | 'version' | 'choice' | 'flag' | 'duration' | 'time' | 'any';

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
  readonly properties?: ReadonlySet<string>;
  /** Values to suggest for names below a group, the usual ones first. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
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
const none: ReadonlySet<string> = new Set();
const anything: FilterField = { kind: 'any' };
const operators: Readonly<Record<FieldKind, readonly FilterOperator[]>> = {
  text: [':', '=', '!='],
  version: [':', '=', '!=', '@'],
  choice: [':', '=', '!='],
  flag: [':', '=', '!='],
  duration: ['<', '<=', '>', '>='],
  time: ['<', '<=', '>', '>='],
  any: [':', '=', '!=', '<', '<=', '>', '>=', '@'],
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
export function hasOnlyNamedFields({ groups = [], properties = none }: FilterFields): boolean {
  return groups.length === 0 && properties.size === 0;
}

/** The field with this name. If several properties are a prefix of it, the longest. Throws a `FilterError` with the nearest names. */
export function findField(name: string, at: number, fields: FilterFields): FoundField {
  if (Object.hasOwn(fields.named, name))
    return { name, from: 'named', field: fields.named[name] ?? anything, path: '' };
  const group = fields.groups?.find((one) => name.startsWith(`${one}.`) && name.length > one.length + 1);
  if (group !== undefined)
    return { name: group, from: 'group', field: anything, path: name.slice(group.length + 1) };
  const longest = possibleProperties(name).findLast((one) => fields.properties?.has(one));
  if (longest !== undefined)
    return { name: longest, from: 'property', field: anything, path: name.slice(longest.length + 1) };
  throw new FilterError(`there is no field "${name}".${suggestion(name, fields)}`, at);
}

/** The names of properties that a field may begin with, from short to long: all up to one of its dots, and itself. */
export function possibleProperties(name: string): string[] {
  return [...name.matchAll(/\.|$/g)].map(({ index }) => name.slice(0, index));
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

function suggestion(name: string, { named, groups = [], properties = none }: FilterFields): string {
  const known = [...Object.keys(named), ...groups.map((group) => `${group}.…`), ...properties];
  const [first = ''] = name.split('.');
  const near = nearestNames(name, known, (one) => [
    [name, one],
    [name, one.slice(one.lastIndexOf('.') + 1)],
    [first, one],
  ]);
  if (near.length > 0) return ` Did you mean ${listed(near, 'or')}?`;
  return ` Put it in quotation marks to look for the text.`;
}

/** Words as a person lists them: `a, b or c`. */
function listed(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
