import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { listOrder, sortKey } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly user_id: string;
  readonly display_name: string | null;
  readonly email: string;
  readonly is_plain_member: boolean;
}

const ownersFirst = listOrder<Row>('projects_QueryProjectMembers', 'asc', [
  sortKey('is_plain_member', 'boolean', sql`(not m.is_owner)`),
  sortKey('email', 'text', sql`u.email`),
]);

/** Lists the members of a project, owners first, then by e-mail address. */
export const QueryProjectMembers: Handler<'projects_QueryProjectMembers', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { items, more } = await readPage(ownersFirst, input, {
      of: projectId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select u.user_id, u.display_name, u.email, (not m.is_owner) as is_plain_member
          from project_members m join users u using (user_id)
          where m.project_id = ${projectId} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toOutput,
    });
    return { users: items, ...more };
  },
};

function toOutput(row: Row) {
  return {
    userId: ids.user.of(row.user_id),
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    email: row.email,
    isOwner: !row.is_plain_member,
  };
}
