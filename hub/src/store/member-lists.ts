import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';
import type { Slice } from './paging/list-order.ts';

/** Members of more projects than this are checked project by project along the list. */
const fewProjects = 200;
/** Rows of the list that are checked at most. */
const scannedRows = 5_000;

/** A list of all members' rows, of which one member sees a part. */
interface SharedList<Row> {
  /** The table under the alias that the sort keys use; it has a column `project_id`. */
  readonly table: 'devices' | 'projects';
  readonly alias: 'd' | 'p';
  /** The columns of a row; those of the membership are `m`. */
  readonly columns: RawBuilder<unknown>;
  /** Reads the slice by way of the member's projects, which takes time for each of them. */
  readonly readByProject: () => Promise<Row[]>;
}

/**
 * Reads a slice of a list for a member, by raw id. The database can't know which is faster: to walk along the list and check the project of each row, or to read
 * the rows of each project and sort them. The walk is limited, so that a member of many projects that come late in the list does not wait for it.
 */
export async function readForMember<Row>(
  tx: Database,
  memberId: string,
  slice: Slice,
  list: SharedList<Row>,
): Promise<Row[]> {
  if (!(await isMemberOfMany(tx, memberId))) return list.readByProject();
  const [table, alias] = [sql.table(list.table), sql.ref(list.alias)];
  const walked = sql`select * from ${table} ${alias} where ${slice.follows} ${slice.order}`;
  const { rows } = await sql<Row>`
    select ${list.columns} from (${walked} limit ${scannedRows}) as ${alias} cross join lateral (
      select * from project_members m where m.user_id = ${memberId} and m.project_id = ${alias}.project_id offset 0
    ) as m ${slice.orderAndLimit}`.execute(tx);
  if (rows.length >= slice.limit) return rows;
  const { rows: unread } =
    await sql`select 1 from (${walked} offset ${scannedRows} limit 1) as further`.execute(tx);
  return unread.length === 0 ? rows : list.readByProject();
}

async function isMemberOfMany(tx: Database, memberId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from project_members where user_id = ${memberId} offset ${fewProjects} limit 1`.execute(tx);
  return rows.length > 0;
}
