import { caretPlace, type CaretPlace } from './caret-place.ts';
import { type FilterField, type FilterFields, findField, operatorsOf, valuesOf } from './fields.ts';
import { FilterReader } from './FilterReader.ts';
import { maxFilterCharacters } from './parse-filter.ts';

/** What may be written at the caret of a filter. */
export interface FilterCandidate {
  /** What stands instead of the piece at the caret. */
  readonly text: string;
  /** The name of the field or of the group, the operator, the value, or the word of the grammar. */
  readonly name: string;
  readonly kind: 'field' | 'group' | 'property' | 'operator' | 'value' | 'word';
}

/** How a filter may go on at its caret. */
export interface FilterCompletion {
  readonly wants: CaretPlace['wants'];
  /** The piece that a candidate replaces. */
  readonly start: number;
  readonly end: number;
  /** What of it is written before the caret; the candidates begin like it. */
  readonly typed: string;
  readonly candidates: readonly FilterCandidate[];
}

const maxCandidates = 50;

/**
 * How a filter may go on at `position`, also one with mistakes; undefined inside of a text in quotation marks that is looked for as it
 * is, and for a filter that is too long. `properties` of the fields may be those of a group, such as `label.ring`.
 */
export function completionAt(
  text: string,
  position: number,
  fields: FilterFields,
): FilterCompletion | undefined {
  if (text.length > maxFilterCharacters) return undefined;
  const caret = Math.min(Math.max(0, position), text.length);
  const place = caretPlace(text, caret);
  if (place === undefined) return undefined;
  const { start, end } = place;
  const typed = text.slice(start, caret);
  const { wants, candidates } = candidatesOf(place, { text, typed, fields });
  const present = text.slice(start, end);
  const others = candidates.filter((candidate) => candidate.text !== present);
  return { wants, start, end, typed, candidates: others.slice(0, maxCandidates) };
}

interface Typed {
  readonly text: string;
  readonly typed: string;
  readonly fields: FilterFields;
}

function candidatesOf(place: CaretPlace, at: Typed): Pick<FilterCompletion, 'wants' | 'candidates'> {
  if (place.wants === 'operator') return { wants: 'operator', candidates: operatorCandidates(place, at) };
  if (place.wants === 'value') return { wants: 'value', candidates: valueCandidates(place, at) };
  const names = fieldCandidates(place, at);
  const operators = isBare(place) ? operatorsAfter(place, at) : [];
  if (operators.length === 0) return { wants: 'field', candidates: names };
  const longer = names.filter(({ name }) => name !== at.typed);
  // What follows the name of a group or of a property may be unfinished.
  const isWhole = longer.length === 0 || isListed(at.typed, at.fields);
  if (isWhole) return { wants: 'operator', candidates: [...operators, ...longer] };
  return { wants: 'field', candidates: [...longer, ...operators] };
}

/** Whether an operator may follow the field. */
function isBare({ isAfterHas = false, hasOperator = false }: CaretPlace): boolean {
  return !isAfterHas && !hasOperator;
}

/** The field at the caret with each of its operators; none unless the caret is at the end of its name. */
function operatorsAfter({ start, end }: CaretPlace, { typed, fields }: Typed): FilterCandidate[] {
  const field = end - start === typed.length ? fieldOf(typed, fields) : undefined;
  if (field === undefined) return [];
  return operatorsOf(field).map((operator) => ({ text: typed + operator, name: operator, kind: 'operator' }));
}

function isListed(name: string, { named, properties = [] }: FilterFields): boolean {
  return Object.hasOwn(named, name) || properties.includes(name);
}

function fieldCandidates(place: CaretPlace, { typed, fields }: Typed): FilterCandidate[] {
  const isAlone = isBare(place);
  const named = Object.entries(fields.named).map(([name, field]): FilterCandidate => ({
    text: isAlone ? name + usualOperator(field) : name,
    name,
    kind: 'field',
  }));
  const groups = (fields.groups ?? []).map((name): FilterCandidate => ({
    text: `${name}.`,
    name,
    kind: 'group',
  }));
  const properties = (fields.properties ?? [])
    .filter((name) => canBeWritten(name) && !Object.hasOwn(fields.named, name))
    .map((name): FilterCandidate => ({ text: isAlone ? `${name}:` : name, name, kind: 'property' }));
  const words = isAlone ? wordsFor(place) : [];
  return sortedByFit([...named, ...groups, ...properties, ...words], typed);
}

/** A field that is true or false is a test by itself. */
function usualOperator(field: FilterField): string {
  if (field.kind === 'flag') return '';
  return field.kind === 'duration' || field.kind === 'time' ? '>' : ':';
}

function wordsFor({ isAfterTest = false }: CaretPlace): FilterCandidate[] {
  const words = isAfterTest ? ['or ', 'and ', 'not '] : ['not '];
  return [
    ...words.map((word): FilterCandidate => ({ text: word, name: word.trim(), kind: 'word' })),
    { text: 'has:', name: 'has', kind: 'word' },
  ];
}

/** Names that begin as typed, then those of which a later part does. */
function sortedByFit(candidates: readonly FilterCandidate[], typed: string): FilterCandidate[] {
  const lower = typed.toLowerCase();
  const first = candidates.filter(({ text }) => text.toLowerCase().startsWith(lower));
  const later = candidates.filter(
    (candidate) => candidate.name.toLowerCase().includes(`.${lower}`) && !first.includes(candidate),
  );
  return lower === '' ? first : [...first, ...later];
}

/** Whether the grammar can name a field like this. */
function canBeWritten(name: string): boolean {
  return !name.startsWith('-') && new FilterReader(name).name() === name;
}

function fieldOf(name: string, fields: FilterFields): FilterField | undefined {
  try {
    return findField(name, 0, fields).field;
  } catch {
    return undefined;
  }
}

function operatorCandidates({ field = '' }: CaretPlace, { typed, fields }: Typed): FilterCandidate[] {
  return operatorsOf(fieldOf(field, fields) ?? { kind: 'any' })
    .filter((operator) => operator.startsWith(typed))
    .map((operator) => ({ text: operator, name: operator, kind: 'operator' }));
}

function valueCandidates(
  { field = '', otherValues = [] }: CaretPlace,
  { text, typed, fields }: Typed,
): FilterCandidate[] {
  const found = fieldOf(field, fields);
  if (found === undefined) return [];
  const taken = new Set(otherValues.map(([start, end]) => text.slice(start, end).toLowerCase()));
  const begun = typed.replace(/^"/, '').toLowerCase();
  return valuesOf(found, begun)
    .filter((value) => value.toLowerCase().startsWith(begun) && !taken.has(value.toLowerCase()))
    .map((value) => ({ text: writtenValue(value), name: value, kind: 'value' }));
}

/** A value as a filter has it: in quotation marks where it would else mean something else. */
function writtenValue(value: string): string {
  if (/^[^\s"(),]+$/u.test(value) && !value.endsWith('*')) return value;
  return `"${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
