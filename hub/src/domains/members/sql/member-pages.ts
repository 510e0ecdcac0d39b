import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage, type PageRequest } from '../../../platform/db/paging/read-page.ts';
import { scopeNames, type Scope } from './shared-scope.ts';

interface Row {
  readonly user_id: string;
  readonly display_name: string | null;
  readonly email: string;
  readonly is_plain_member: boolean;
  readonly from_groups: 'membership' | 'ownership' | null;
}

const ownersFirst = (kind: Scope['kind']) =>
  listOrder<Row>(`members of a ${kind}`, 'asc', [
    sortKey('is_plain_member', 'boolean'),
    sortKey('email', 'text'),
  ]);

const orders = { project: ownersFirst('project'), repository: ownersFirst('repository') };

/** Reads a page of members: owners first, then by e-mail address. */
export function readMembers(tx: Database, of: Scope, request: PageRequest) {
  return readPage(orders[of.kind], request, {
    scope: of.id,
    read: (slice) => readSlice(tx, of, slice),
    toItem: toOutput,
  });
}

/** Owners and the others in one statement, each found in order by the index on the e-mail address. */
async function readSlice(tx: Database, of: Scope, slice: Slice): Promise<Row[]> {
  const isPastOwners = slice.position?.[0] === true;
  const others = memberRows(of, false, slice);
  const { rows } = await (
    isPastOwners
      ? others
      : sql<Row>`${memberRows(of, true, slice)} union all ${others} ${slice.orderAndLimit}`
  ).execute(tx);
  return rows;
}

function memberRows({ kind, id }: Scope, isOwner: boolean, { position, limit }: Slice): RawBuilder<Row> {
  const { members, key } = scopeNames[kind];
  const fromGroups = kind === 'project' ? sql`m.from_groups` : sql`null`;
  const follows = position?.[0] === !isOwner ? sql`u.email > ${position[1]}` : sql`true`;
  return sql<Row>`(
    select u.user_id, u.display_name, u.email, (not m.is_owner) as is_plain_member, ${fromGroups} as from_groups
    from ${members} m join users u using (user_id)
    where m.${key} = ${id} and not u.is_service and m.is_owner = ${sql.lit(isOwner)} and ${follows}
    order by u.email limit ${limit})`;
}

function toOutput(row: Row) {
  return {
    userId: ids.user.of(row.user_id),
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    email: row.email,
    isOwner: !row.is_plain_member,
    ...(row.from_groups === null ? {} : { fromGroups: row.from_groups }),
  };
}
