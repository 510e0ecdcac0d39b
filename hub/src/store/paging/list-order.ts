import { sql, type RawBuilder } from 'kysely';
import { planEachTime } from '../../db/PreparingClient.ts';
import type { KeyType, KeyValue } from './cursor.ts';

/** One sort key: the column of the row that holds its value, and the SQL that the statement sorts by. */
export interface SortKey<Row> {
  readonly column: keyof Row & string;
  readonly type: KeyType;
  readonly by: RawBuilder<unknown>;
}

/**
 * How a list is sorted and how long its pages are. All keys go in one direction, and together they are unique and not null: PostgreSQL then finds the
 * beginning of any page by one row comparison on an index.
 */
export interface ListOrder<Row> {
  /** Names the list in its cursors, so that a cursor of another list is refused. */
  readonly name: string;
  readonly direction: 'asc' | 'desc';
  readonly keys: readonly SortKey<Row>[];
  /** Rows of a page where the caller names no limit. */
  readonly defaultRows: number;
  /** Rows of a page at most. */
  readonly maxRows: number;
  /** Rows of one statement at most, which all are in memory at the same time. */
  readonly rowsAtOnce: number;
  /** Rows of the first statement at most, before the size of a row is known. */
  readonly rowsAtFirst: number;
}

interface OrderOptions {
  readonly defaultRows?: number;
  readonly maxRows?: number;
  /** To be stated where rows may be large; by default 500. */
  readonly rowsAtOnce?: number;
  /** More than 100 only for rows that are small in any case. */
  readonly rowsAtFirst?: number;
}

const defaultMaxRows = 10_000;
const defaultRowsAtOnce = 500;
const defaultRowsAtFirst = 100;

/** Describes the order of a list; its pages have at most 10,000 rows by default. */
export function listOrder<Row>(
  name: string,
  direction: 'asc' | 'desc',
  keys: readonly SortKey<Row>[],
  {
    defaultRows,
    maxRows = defaultMaxRows,
    rowsAtOnce = defaultRowsAtOnce,
    rowsAtFirst = defaultRowsAtFirst,
  }: OrderOptions = {},
): ListOrder<Row> {
  return { name, direction, keys, defaultRows: defaultRows ?? maxRows, maxRows, rowsAtOnce, rowsAtFirst };
}

/** Describes one sort key; the SQL defaults to a reference to the column. */
export function sortKey<Row>(
  column: keyof Row & string,
  type: KeyType,
  by: RawBuilder<unknown> = sql.ref(column),
): SortKey<Row> {
  return { column, type, by };
}

/** What a statement needs to read the rows of a list that follow a position. */
export interface Slice {
  /** The condition that a row follows the position; true at the beginning of the list. */
  readonly follows: RawBuilder<boolean>;
  /** `order by … limit …`. */
  readonly orderAndLimit: RawBuilder<unknown>;
  /** The `order by …` alone, for statements that join more to the rows of the slice. */
  readonly order: RawBuilder<unknown>;
  /** The most rows of the slice. */
  readonly limit: number;
  /** How many bytes of JSON still fit on the page. */
  readonly bytesLeft: number;
  /** The values of the sort keys at the position; undefined at the beginning of the list. */
  readonly position: readonly KeyValue[] | undefined;
}

/** The slice of at most `limit` rows that follow a position in a list. */
export function sliceOf<Row>(
  list: ListOrder<Row>,
  position: readonly KeyValue[] | undefined,
  limit: number,
  bytesLeft: number,
): Slice {
  const order = orderBy(list);
  return {
    follows: follows(list, position),
    order,
    orderAndLimit: sql`${order} limit ${limit} ${sql.raw(planEachTime)}`,
    limit,
    bytesLeft,
    position,
  };
}

function orderBy<Row>({ keys, direction }: ListOrder<Row>): RawBuilder<unknown> {
  const word = sql.raw(direction);
  return sql`order by ${sql.join(keys.map(({ by }) => sql`${by} ${word}`))}`;
}

function follows<Row>(
  { keys, direction }: ListOrder<Row>,
  position: readonly KeyValue[] | undefined,
): RawBuilder<boolean> {
  if (position === undefined) return sql<boolean>`true`;
  const left = sql.join(keys.map(({ by }) => by));
  const right = sql.join(keys.map(({ type }, index) => sql`${position[index]}::${sql.raw(type)}`));
  return sql<boolean>`(${left}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${right})`;
}

/** The values of the sort keys of a row. */
export function positionOf<Row>({ keys }: ListOrder<Row>, row: Row): KeyValue[] {
  return keys.map(({ column }) => row[column] as KeyValue);
}
