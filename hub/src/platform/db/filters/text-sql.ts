import { readTime, type Comparison, type FilterTest, type FilterValue } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { occurs, type SearchedText } from '../paging/searched-text.ts';

/** The condition that a text column is, or begins with, one of the values, as typed or as names are stored (NFC); for `!=` that it is another. */
export function textIs(
  column: RawBuilder<unknown>,
  { operator, values }: Pick<Comparison, 'operator' | 'values'>,
): RawBuilder<boolean> {
  const spelled = values.flatMap((value) =>
    [...new Set([value.text, value.text.normalize()])].map((text) => ({ ...value, text })),
  );
  const whole = spelled.filter(({ isPrefix }) => !isPrefix).map(({ text }) => text);
  const begun = spelled.filter(({ isPrefix }) => isPrefix);
  const conditions = [
    ...(whole.length > 0 ? [sql<boolean>`${column} = any(${whole})`] : []),
    ...begun.map(({ text }) => sql<boolean>`starts_with(${column}, ${text})`),
  ];
  const isOne = sql<boolean>`(${sql.join(conditions, sql` or `)})`;
  return operator === '!=' ? sql<boolean>`not ${isOne}` : isOne;
}

/** The condition that one of the columns contains the text, or begins with it, in any case. */
export function textOccurs(
  columns: readonly SearchedText[],
  { text, isPrefix }: Extract<FilterTest, { kind: 'text' }>,
): RawBuilder<boolean> {
  return occurs(columns, text, isPrefix ? 'at the start' : 'anywhere');
}

/** Values without the tag of public ids, as the database has them. */
export function rawValues(values: readonly FilterValue[], tag: string): FilterValue[] {
  return values.map((value) => ({
    ...value,
    text: value.text.startsWith(`${tag}_`) ? value.text.slice(tag.length + 1) : value.text,
  }));
}

/** A comparison as SQL writes it; `:` and `=` are the same for one value. */
export const orderOperators = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
} as const;

/** An operator of `orderOperators`. */
export type OrderOperator = keyof typeof orderOperators;

/** Whether the operator is one of an order. */
export function isOrder(operator: string): operator is OrderOperator {
  return Object.hasOwn(orderOperators, operator);
}

const reversed = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** The condition that a moment lies as long ago as the comparison says: what is older was earlier. */
export function ageSql(
  moment: RawBuilder<unknown>,
  operator: OrderOperator,
  durationMs: number,
  now: Date,
): RawBuilder<boolean> {
  const then = new Date(now.getTime() - durationMs);
  return sql<boolean>`${moment} ${orderOperators[reversed[operator]]} ${then}`;
}

/** The condition that a moment lies before or after the one of the comparison. */
export function timeIs(
  moment: RawBuilder<unknown>,
  { operator, values }: Comparison,
  now: Date,
): RawBuilder<boolean> {
  const at = readTime(values[0] as FilterValue, now);
  return sql<boolean>`${moment} ${orderOperators[operator as OrderOperator]} ${at}`;
}
