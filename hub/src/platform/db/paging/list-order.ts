import { type RawBuilder, sql } from 'kysely';
import { planEachTime } from '../connect.ts';
import type { KeyType, KeyValue } from './cursor.ts';

/** A sort key: the column of the row with its value, and the SQL by which the statement sorts. */
export interface SortKey<Row> {
  readonly column: keyof Row & string;
  readonly type: KeyType;
  readonly by: RawBuilder<unknown>;
}

/**
 * The order of a list and the length of its pages. All keys have one direction, and together they are unique and not null, so that PostgreSQL finds the
 * beginning of any page by one row comparison on an index.
 */
export interface ListOrder<Row> {
  /** A part of the checksum of cursors, so that a cursor of another list is refused. */
  readonly name: string;
  readonly direction: 'asc' | 'desc';
  readonly keys: readonly SortKey<Row>[];
  /** Rows of a page when the caller gives no limit. */
  readonly defaultRows: number;
  /** The most rows of a page. */
  readonly maxRows: number;
  /** The most rows of one statement, all of which are in memory at the same time. */
  readonly maxBatchRows: number;
  /** The most rows of the first statement, when the size of rows is not known yet. */
  readonly firstBatchRows: number;
}

interface OrderOptions {
  readonly defaultRows?: number;
  readonly maxRows?: number;
  /** 500 by default; fewer for rows that may be large. */
  readonly maxBatchRows?: number;
  /** 100 by default; more only for rows that are always small. */
  readonly firstBatchRows?: number;
}

const defaultMaxRows = 10_000;
const defaultMaxBatchRows = 500;
const defaultFirstBatchRows = 100;

/** Describes the order of a list; its pages have at most 10,000 rows by default. */
export function listOrder<Row>(
  name: string,
  direction: 'asc' | 'desc',
  keys: readonly SortKey<Row>[],
  {
    defaultRows,
    maxRows = defaultMaxRows,
    maxBatchRows = defaultMaxBatchRows,
    firstBatchRows = defaultFirstBatchRows,
  }: OrderOptions = {},
): ListOrder<Row> {
  return {
    name,
    direction,
    keys,
    defaultRows: defaultRows ?? maxRows,
    maxRows,
    maxBatchRows,
    firstBatchRows,
  };
}

/** Describes one sort key; the SQL defaults to a reference to the column. */
export function sortKey<Row>(
  column: keyof Row & string,
  type: KeyType,
  by: RawBuilder<unknown> = sql.ref(column),
): SortKey<Row> {
  return { column, type, by };
}

/** SQL of the key that names are sorted by (see `orderKey` of the contract); null without a name. It is compared byte by byte, in each database alike. */
export function nameKey(name: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(name_key(${name}) collate "C")`;
}

/** The order of a list by name, whose statement has the `table` with the name and the id. */
export function nameOrder<Row extends { readonly lower_name: string; readonly name: string }>(
  list: string,
  table: string,
  id: keyof Row & string,
  options?: OrderOptions,
): ListOrder<Row> {
  const name = sql.ref(`${table}.name`);
  const keys = [
    sortKey<Row>('lower_name', 'text', nameKey(name)),
    sortKey<Row>('name', 'text', name),
    sortKey<Row>(id, 'text', sql.ref(`${table}.${id}`)),
  ];
  return listOrder(list, 'asc', keys, options);
}

/** The parts of a statement that reads the rows of a list after a position. */
export interface Slice {
  /** The condition that a row is after the position; true at the beginning of the list. */
  readonly follows: RawBuilder<boolean>;
  /** `order by … limit …`. */
  readonly orderAndLimit: RawBuilder<unknown>;
  /** The `order by …` alone, for statements that join further tables to the slice. */
  readonly order: RawBuilder<unknown>;
  /** The most rows to read. */
  readonly limit: number;
  /** How many bytes of JSON still fit on the page. */
  readonly bytesLeft: number;
  /** The values of the sort keys at the position; undefined at the beginning of the list. */
  readonly position: readonly KeyValue[] | undefined;
}

/** The slice of at most `limit` rows after a position in a list. */
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
