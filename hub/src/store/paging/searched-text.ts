import type { IdKind } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/** A searched column: the condition that it contains a text, ignoring case; undefined if it never can. */
export type SearchedText = (text: string) => RawBuilder<boolean> | undefined;

/** ASCII: one byte per character in UTF-8, and the same case mapping in all collations. */
const ascii = /^[\0-\x7f]*$/;

/** The only letter whose lower case is ASCII in PostgreSQL but not in JavaScript, which adds a combining dot. */
const dottedCapitalI = '\u0130';

/** The condition that one of the columns contains a text, ignoring case and surrounding blanks; true for an empty text. */
export function contains(searched: readonly SearchedText[], search: string | undefined): RawBuilder<boolean> {
  const text = search?.trim().replaceAll(dottedCapitalI, 'i') ?? '';
  if (text === '') return sql<boolean>`true`;
  const conditions = searched.flatMap((occurs) => occurs(text) ?? []);
  if (conditions.length === 0) return sql<boolean>`false`;
  return sql<boolean>`coalesce(${sql.join(conditions, sql` or `)}, false)`;
}

/** A column with any text. Rows of ASCII use the collation "C", which lowers the case three times as fast but for ASCII only. */
export function anyText(column: RawBuilder<unknown>): SearchedText {
  const isAscii = sql`octet_length(${column}) = char_length(${column})`;
  return (text) => {
    const inUnicode = sql`strpos(lower(${column}), lower(${text}))`;
    if (!ascii.test(text.toLowerCase())) return sql<boolean>`(not ${isAscii} and ${inUnicode} > 0)`;
    return sql<boolean>`case when ${isAscii} then ${inAscii(column, text)} else ${inUnicode} end > 0`;
  };
}

/** A column with the raw part of ids, searched with their tag. */
export function anyId({ tag }: IdKind<string>, column: RawBuilder<unknown>): SearchedText {
  const prefix = `${tag}_`;
  return (text) =>
    mayOccur(text.toLowerCase(), prefix, /^[1-9a-z]*$/)
      ? sql<boolean>`${inAscii(sql`${sql.lit(prefix)} || ${column}`, text)} > 0`
      : undefined;
}

/** A text of a prefix and hexadecimal digits in lower case. */
export function anyHex(prefix: string, text: RawBuilder<unknown>): SearchedText {
  return (search) =>
    mayOccur(search.toLowerCase(), prefix, /^[0-9a-f]*$/)
      ? sql<boolean>`strpos(${text}, ${search.toLowerCase()}) > 0`
      : undefined;
}

/** A column with one of few values. */
export function anyOf(values: readonly string[], column: RawBuilder<unknown>): SearchedText {
  return (text) => {
    const found = values.filter((value) => value.toLowerCase().includes(text.toLowerCase()));
    return found.length === 0 ? undefined : sql<boolean>`${column} = any(${found})`;
  };
}

function inAscii(text: RawBuilder<unknown>, search: string): RawBuilder<number> {
  return sql<number>`strpos(lower((${text}) collate "C"), ${search.toLowerCase()})`;
}

/** Whether a text can occur in the prefix followed by these symbols. */
function mayOccur(text: string, prefix: string, symbols: RegExp): boolean {
  if (prefix.includes(text)) return true;
  return Array.from({ length: Math.min(prefix.length, text.length) + 1 }).some(
    (_, length) => prefix.endsWith(text.slice(0, length)) && symbols.test(text.slice(length)),
  );
}
