import type { IdKind } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/** What a search looks into: the condition that it contains a text, in any case; undefined if it contains none such. */
export type SearchedText = (text: string) => RawBuilder<boolean> | undefined;

/** `\x7f` and below: one byte each in UTF-8, and of one case mapping in all collations. */
const ascii = /^[\0-\x7f]*$/;

/** The one letter that PostgreSQL makes a letter of ASCII in lower case and JavaScript does not: it adds a dot above. */
const dottedCapitalI = '\u0130';

/** The condition that one of the columns contains a text, ignoring case and surrounding blanks; true for an empty text. */
export function contains(searched: readonly SearchedText[], search: string | undefined): RawBuilder<boolean> {
  const text = search?.trim().replaceAll(dottedCapitalI, 'i') ?? '';
  if (text === '') return sql<boolean>`true`;
  const conditions = searched.flatMap((occurs) => occurs(text) ?? []);
  if (conditions.length === 0) return sql<boolean>`false`;
  return sql<boolean>`coalesce(${sql.join(conditions, sql` or `)}, false)`;
}

/**
 * A column with any text. PostgreSQL changes the case of ASCII three times as fast in the collation "C", which leaves other letters as they are, so it is used for the rows that have none.
 */
export function anyText(column: RawBuilder<unknown>): SearchedText {
  const isAscii = sql`octet_length(${column}) = char_length(${column})`;
  return (text) => {
    const others = sql`strpos(lower(${column}), lower(${text}))`;
    if (!ascii.test(text.toLowerCase())) return sql<boolean>`(not ${isAscii} and ${others} > 0)`;
    return sql<boolean>`case when ${isAscii} then ${inAscii(column, text)} else ${others} end > 0`;
  };
}

/** A column with the raw part of ids, which are shown with their tag. */
export function anyId({ tag }: IdKind<string>, column: RawBuilder<unknown>): SearchedText {
  const prefix = `${tag}_`;
  return (text) =>
    mayOccur(text.toLowerCase(), prefix, /^[1-9a-z]*$/)
      ? sql<boolean>`${inAscii(sql`${sql.lit(prefix)} || ${column}`, text)} > 0`
      : undefined;
}

/** A text of a prefix and digits of base 16 in lower case. */
export function anyHex(prefix: string, text: RawBuilder<unknown>): SearchedText {
  return (search) =>
    mayOccur(search.toLowerCase(), prefix, /^[0-9a-f]*$/)
      ? sql<boolean>`strpos(${text}, ${search.toLowerCase()}) > 0`
      : undefined;
}

/** A column with one of a few values. */
export function anyOf(values: readonly string[], column: RawBuilder<unknown>): SearchedText {
  return (text) => {
    const found = values.filter((value) => value.toLowerCase().includes(text.toLowerCase()));
    return found.length === 0 ? undefined : sql<boolean>`${column} = any(${found})`;
  };
}

function inAscii(text: RawBuilder<unknown>, search: string): RawBuilder<number> {
  return sql<number>`strpos(lower((${text}) collate "C"), ${search.toLowerCase()})`;
}

/** Whether a text can be part of the prefix with symbols after it. */
function mayOccur(text: string, prefix: string, symbols: RegExp): boolean {
  if (prefix.includes(text)) return true;
  return Array.from({ length: Math.min(prefix.length, text.length) + 1 }).some(
    (_, length) => prefix.endsWith(text.slice(0, length)) && symbols.test(text.slice(length)),
  );
}
