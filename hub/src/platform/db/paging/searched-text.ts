import { foldText, type IdKind } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/** Where a text is looked for. */
type Place = 'anywhere' | 'at the start';

/** A searched column: the condition that it contains a folded text, or begins with it, without case and accents; undefined if it never can. `typed` is the text before it was folded. */
export type SearchedText = (text: string, place: Place, typed: string) => RawBuilder<boolean> | undefined;

/** ASCII: one byte per character in UTF-8, and the same case mapping in all collations. */
const ascii = /^[\0-\x7f]*$/;

/** The condition that one of the columns contains a text, without case, accents and surrounding blanks; true for an empty text. */
export function contains(searched: readonly SearchedText[], search: string | undefined): RawBuilder<boolean> {
  const text = search?.trim() ?? '';
  return text === '' ? sql<boolean>`true` : occurs(searched, text, 'anywhere');
}

/** The condition that a text occurs in one of the columns, without case and accents; false where a column is null. */
export function occurs(searched: readonly SearchedText[], search: string, place: Place): RawBuilder<boolean> {
  const text = foldText(search);
  const conditions = searched.flatMap((occursIn) => occursIn(text, place, search) ?? []);
  if (conditions.length === 0) return sql<boolean>`false`;
  return sql<boolean>`coalesce(${sql.join(conditions, sql` or `)}, false)`;
}

/** Comes before each of the texts that a column holds together, as the function `searched_texts` of the database writes them. */
const separator = '\u0001';

/**
 * The condition that a text occurs in a column of several folded texts, each after a separator. Never null, and in a form for which PostgreSQL uses an index of
 * trigrams.
 */
export function occursInTexts(texts: RawBuilder<unknown>, search: string, place: Place): RawBuilder<boolean> {
  if (search.includes(separator)) return sql<boolean>`false`;
  const escaped = foldText(search).replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = `%${place === 'at the start' ? separator : ''}${escaped}%`;
  return sql<boolean>`${texts} like ${folded(pattern)}`;
}

/** A column with any text. Rows of ASCII use the collation "C", whose lower case is faster than that of ICU and libc, but of ASCII only. */
export function anyText(column: RawBuilder<unknown>): SearchedText {
  const isAscii = sql`octet_length(${column}) = char_length(${column})`;
  return (text, place) => {
    const inUnicode = sql<number>`strpos(folded(${column}), ${folded(text)})`;
    if (!ascii.test(text)) return sql<boolean>`(not ${isAscii} and ${foundAt(inUnicode, place)})`;
    const position = sql<number>`case when ${isAscii} then ${inAscii(column, text)} else ${inUnicode} end`;
    return foundAt(position, place);
  };
}

/** An expression whose texts can be large, so that it is evaluated once for each row. */
export function anyLargeText(expression: RawBuilder<unknown>): SearchedText {
  return (text, place) => foundAt(sql<number>`strpos(folded(${expression}), ${folded(text)})`, place);
}

/** A column with the raw part of ids, searched with their tag. */
export function anyId({ tag }: IdKind<string>, column: RawBuilder<unknown>): SearchedText {
  const prefix = `${tag}_`;
  return (text, place) =>
    mayOccur(text, prefix, /^[1-9a-z]*$/)
      ? foundAt(inAscii(sql`${sql.lit(prefix)} || ${column}`, text), place)
      : undefined;
}

/** A text of a prefix and hexadecimal digits in lower case. */
export function anyHex(prefix: string, text: RawBuilder<unknown>): SearchedText {
  return (search, place) =>
    mayOccur(search, prefix, /^[0-9a-f]*$/)
      ? foundAt(sql<number>`strpos(${text}, ${search})`, place)
      : undefined;
}

/** A column with one of few values. */
export function anyOf(values: readonly string[], column: RawBuilder<unknown>): SearchedText {
  return (text, place) => {
    const found = values.filter((value) => {
      const position = value.toLowerCase().indexOf(text);
      return place === 'at the start' ? position === 0 : position >= 0;
    });
    return found.length === 0 ? undefined : sql<boolean>`${column} = any(${found})`;
  };
}

/** The condition on the position of a text, which is 0 where it does not occur. */
function foundAt(position: RawBuilder<number>, place: Place): RawBuilder<boolean> {
  return place === 'at the start' ? sql<boolean>`(${position}) = 1` : sql<boolean>`(${position}) > 0`;
}

function inAscii(text: RawBuilder<unknown>, search: string): RawBuilder<number> {
  return sql<number>`strpos(lower((${text}) collate "C"), ${search})`;
}

/** A folded text as the database folds it: beyond ASCII the two may know letters of different releases of Unicode. */
function folded(text: string): RawBuilder<string> {
  return ascii.test(text) ? sql<string>`${text}` : sql<string>`folded(${text})`;
}

/** Whether a text can occur in the prefix followed by these symbols. */
function mayOccur(text: string, prefix: string, symbols: RegExp): boolean {
  if (prefix.includes(text)) return true;
  return Array.from({ length: Math.min(prefix.length, text.length) + 1 }).some(
    (_, length) => prefix.endsWith(text.slice(0, length)) && symbols.test(text.slice(length)),
  );
}
