import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Slice } from '../../../platform/db/paging/list-order.ts';

/** Members of more projects or repositories than this are checked one by one along the list. */
const fewMemberships = 200;
/** Rows of the list that are checked at most. */
const scannedRows = 5_000;

/** A list of all members' rows, of which one member sees a part. */
interface SharedList<Row> {
  /** The table under the alias that the sort keys use. */
  readonly table: 'devices' | 'projects' | 'repositories';
  readonly alias: 'd' | 'p' | 'r';
  /** The columns of a row; those of the membership are `m`. */
  readonly columns: RawBuilder<unknown>;
  /** Reads the slice by way of the memberships, which takes time for each of them. */
  readonly readByMembership: () => Promise<Row[]>;
  /** By default the memberships of projects, by the column `project_id` of the table. */
  readonly memberships?: Memberships;
  /** Only these projects of the member, by raw ids; by default all. */
  readonly projectIds?: readonly string[] | undefined;
}

/** What makes rows visible to a member. */
interface Memberships {
  /** SQL that selects all memberships, at most the first few of which are counted. */
  readonly all: RawBuilder<unknown>;
  /** SQL that selects the membership for a row under the alias of the list; at most one. */
  readonly ofRow: RawBuilder<unknown>;
}

/** SQL for whether an id is among those of a token's bounds, if there are any. */
export function isAmong(id: RawBuilder<unknown>, among: readonly string[] | undefined): RawBuilder<boolean> {
  return among === undefined ? sql<boolean>`true` : sql<boolean>`${id} = any(${among})`;
}

function projectMemberships(
  memberId: string,
  alias: string,
  projectIds: readonly string[] | undefined,
): Memberships {
  const all = sql`select * from project_members m where m.user_id = ${memberId}
    and ${isAmong(sql`m.project_id`, projectIds)}`;
  return { all, ofRow: sql`${all} and m.project_id = ${sql.ref(alias)}.project_id` };
}

/**
 * Reads a slice of a list for a member, by raw id. The database can't know which is faster: to walk along the list and check the membership for each row, or to read
 * the rows of each membership and sort them. The walk is limited, so that a member of many that come late in the list does not wait for it.
 */
export async function readForMember<Row>(
  tx: Database,
  memberId: string,
  slice: Slice,
  list: SharedList<Row>,
): Promise<Row[]> {
  const memberships = list.memberships ?? projectMemberships(memberId, list.alias, list.projectIds);
  if (!(await isMemberOfMany(tx, memberships))) return list.readByMembership();
  const [table, alias] = [sql.table(list.table), sql.ref(list.alias)];
  const walked = sql`select * from ${table} ${alias} where ${slice.follows} ${slice.order}`;
  const { rows } = await sql<Row>`
    select ${list.columns} from (${walked} limit ${scannedRows}) as ${alias} cross join lateral (
      ${memberships.ofRow} offset 0
    ) as m ${slice.orderAndLimit}`.execute(tx);
  if (rows.length >= slice.limit) return rows;
  const { rows: unread } =
    await sql`select 1 from (${walked} offset ${scannedRows} limit 1) as further`.execute(tx);
  return unread.length === 0 ? rows : list.readByMembership();
}

async function isMemberOfMany(tx: Database, { all }: Memberships): Promise<boolean> {
  const { rows } = await sql`select 1 from (${all}) as m offset ${fewMemberships} limit 1`.execute(tx);
  return rows.length > 0;
}
