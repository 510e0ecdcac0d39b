import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { listOrder, sortKey, type Slice } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly user_id: string;
  readonly display_name: string | null;
  readonly email: string;
  readonly is_plain_member: boolean;
}

const ownersFirst = listOrder<Row>('projects_QueryProjectMembers', 'asc', [
  sortKey('is_plain_member', 'boolean'),
  sortKey('email', 'text'),
]);

/** Lists the members of a project, owners first, then by e-mail address. */
export const QueryProjectMembers: Handler<'projects_QueryProjectMembers', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { items, more } = await readPage(ownersFirst, input, {
      of: projectId,
      read: (slice) => readMembers(tx, projectId, slice),
      toItem: toOutput,
    });
    return { users: items, ...more };
  },
};

/** Owners and the others in one statement, each found in order by the index on the e-mail address. */
async function readMembers(tx: Database, projectId: string, slice: Slice): Promise<Row[]> {
  const isPastOwners = slice.position?.[0] === true;
  const others = some(projectId, false, slice);
  const { rows } = await (
    isPastOwners
      ? others
      : sql<Row>`${some(projectId, true, slice)} union all ${others} ${slice.orderAndLimit}`
  ).execute(tx);
  return rows;
}

function some(projectId: string, isOwner: boolean, { position, limit }: Slice): RawBuilder<Row> {
  const follows = position?.[0] === !isOwner ? sql`u.email > ${position[1]}` : sql`true`;
  return sql<Row>`(
    select u.user_id, u.display_name, u.email, (not m.is_owner) as is_plain_member
    from project_members m join users u using (user_id)
    where m.project_id = ${projectId} and m.is_owner = ${sql.lit(isOwner)} and ${follows}
    order by u.email limit ${limit})`;
}

function toOutput(row: Row) {
  return {
    userId: ids.user.of(row.user_id),
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    email: row.email,
    isOwner: !row.is_plain_member,
  };
}
