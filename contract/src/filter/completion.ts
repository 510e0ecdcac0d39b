import { caretContext, type CaretContext } from './caret-context.ts';
import { type FilterField, type FilterFields, findField, operatorsOf, valuesOf } from './fields.ts';
import type { FilterOperator } from './filter.ts';
import { FilterReader } from './FilterReader.ts';
import { maxFilterCharacters } from './parse-filter.ts';
import { writtenValue } from './written-value.ts';

/** A suggestion for the caret of a filter. */
export interface FilterCandidate {
  /** The text that replaces the piece at the caret. */
  readonly text: string;
  /** The name of the field or of the group, the operator, the value, or the word of the grammar. */
  readonly name: string;
  readonly kind: 'field' | 'group' | 'property' | 'operator' | 'value' | 'word';
}

/** The suggestions for the caret of a filter. */
export interface FilterCompletion {
  readonly expects: CaretContext['expects'];
  /** The piece that a candidate replaces. */
  readonly start: number;
  readonly end: number;
  /** The part of the piece before the caret; the candidates begin with it. */
  readonly typed: string;
  readonly candidates: readonly FilterCandidate[];
}

const maxCandidates = 50;

/**
 * Completes a filter at `position`; the filter may have errors. Undefined inside a quoted text, and for a filter that is too long.
 * `properties` of the fields may be names below a group, such as `label.ring`.
 */
export function completionAt(
  text: string,
  position: number,
  fields: FilterFields,
): FilterCompletion | undefined {
  if (text.length > maxFilterCharacters) return undefined;
  const caret = Math.min(Math.max(0, position), text.length);
  const context = caretContext(text, caret);
  if (context === undefined) return undefined;
  const { start, end } = context;
  const typed = text.slice(start, caret);
  const { expects, candidates } = candidatesOf(context, { text, typed, fields });
  const present = text.slice(start, end);
  const others = candidates.filter((candidate) => candidate.text !== present);
  return { expects, start, end, typed, candidates: others.slice(0, maxCandidates) };
}

interface Typed {
  readonly text: string;
  readonly typed: string;
  readonly fields: FilterFields;
}

function candidatesOf(context: CaretContext, at: Typed): Pick<FilterCompletion, 'expects' | 'candidates'> {
  if (context.expects === 'operator')
    return { expects: 'operator', candidates: operatorCandidates(context, at) };
  if (context.expects === 'value') return { expects: 'value', candidates: valueCandidates(context, at) };
  const names = fieldCandidates(context, at);
  const operators = isBare(context) ? operatorsAfter(context, at) : [];
  if (operators.length === 0) return { expects: 'field', candidates: names };
  const longer = names.filter(({ name }) => name !== at.typed);
  // A name below a group or a property may be incomplete.
  const isWhole = longer.length === 0 || isListed(at.typed, at.fields);
  if (isWhole) return { expects: 'operator', candidates: [...operators, ...longer] };
  return { expects: 'field', candidates: [...longer, ...operators] };
}

/** Whether an operator may follow the field. */
function isBare({ isAfterHas = false, hasOperator = false }: CaretContext): boolean {
  return !isAfterHas && !hasOperator;
}

/** The field at the caret with each of its operators; none unless the caret is at the end of its name. */
function operatorsAfter({ start, end }: CaretContext, { typed, fields }: Typed): FilterCandidate[] {
  const field = end - start === typed.length ? fieldOf(typed, fields) : undefined;
  if (field === undefined) return [];
  return operatorsOf(field).map((operator) => ({
    text: typed + writtenOperator(operator),
    name: operator,
    kind: 'operator',
  }));
}

function isListed(name: string, { named, properties }: FilterFields): boolean {
  return Object.hasOwn(named, name) || properties?.has(name) === true;
}

function fieldCandidates(context: CaretContext, { typed, fields }: Typed): FilterCandidate[] {
  const isAlone = isBare(context);
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
  const properties = [...(fields.properties ?? [])]
    .filter((name) => canBeWritten(name) && !Object.hasOwn(fields.named, name))
    .map((name): FilterCandidate => ({ text: isAlone ? `${name}:` : name, name, kind: 'property' }));
  const words = isAlone ? wordsFor(context) : [];
  return sortedByFit([...named, ...groups, ...properties, ...words], typed);
}

/** A boolean field is a condition without an operator. */
function usualOperator(field: FilterField): string {
  if (field.kind === 'flag') return '';
  return field.kind === 'duration' || field.kind === 'time' ? '>' : ':';
}

function wordsFor({ isAfterTest = false }: CaretContext): FilterCandidate[] {
  const words = isAfterTest ? ['or ', 'and ', 'not '] : ['not '];
  return [
    ...words.map((word): FilterCandidate => ({ text: word, name: word.trim(), kind: 'word' })),
    { text: 'has:', name: 'has', kind: 'word' },
  ];
}

/** Candidates that begin with the typed text, then those with a later part that does, such as `region` of `site.region`. */
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

function operatorCandidates({ field = '' }: CaretContext, { typed, fields }: Typed): FilterCandidate[] {
  return operatorsOf(fieldOf(field, fields) ?? { kind: 'any' })
    .filter((operator) => operator.startsWith(typed))
    .map((operator) => ({ text: writtenOperator(operator), name: operator, kind: 'operator' }));
}

/** A version requirement stands in quotation marks, without which the at sign belongs to the name. */
function writtenOperator(operator: FilterOperator): string {
  return operator === '@' ? '@"' : operator;
}

function valueCandidates(
  { field = '', otherValues = [] }: CaretContext,
  { text, typed, fields }: Typed,
): FilterCandidate[] {
  const found = fieldOf(field, fields);
  if (found === undefined) return [];
  const taken = new Set(otherValues.map(([start, end]) => text.slice(start, end).toLowerCase()));
  const begun = typed.replace(/^"/, '').toLowerCase();
  return [...valuesOf(found, begun), ...(fields.values?.get(field) ?? [])]
    .filter((value) => value.toLowerCase().startsWith(begun) && !taken.has(value.toLowerCase()))
    .map((value) => ({ text: writtenValue(value), name: value, kind: 'value' }));
}
