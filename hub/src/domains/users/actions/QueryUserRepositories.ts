import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../policy/actors.ts';
import { reachOf, type TokenReach } from '../policy/token-bounds.ts';
import { readForMember, repositoryMemberships } from '../../members/index.ts';
import { nameOrder, nameKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { readSummaries, type RepositorySummary } from '../../repositories/index.ts';

interface Listed {
  readonly repository_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly visibility: 'Public' | 'Private';
  readonly created_at: string;
  readonly is_owner: boolean;
  readonly is_member: boolean;
}

type Row = Listed & { readonly summary: RepositorySummary | undefined };

const byName = nameOrder<Row>('users_QueryUserRepositories', 'r', 'repository_id');

/** Lists the repositories of a user by name, on request with those that are linked to projects of the user. */
export const QueryUserRepositories: Handler<'users_QueryUserRepositories', TokenReach> = {
  async authorize({ tx, actor, input }) {
    await mustBeSelfOrAdministrator(tx, actor, input.userId);
    return reachOf(tx, actor);
  },

  async run({ tx, input }, reach) {
    const userId = ids.user.raw(input.userId);
    const isWhole = input.includeLinked === true;
    const { items, more } = await readPage(byName, input, {
      scope: `${userId} ${isWhole}`,
      read: (slice) => readRepositories(tx, userId, repositoryMemberships(userId, isWhole, reach), slice),
      toItem: toOutput,
    });
    return { repositories: items, ...more };
  },
};

/** Selects the slice first, so that only its repositories are counted. */
async function readRepositories(
  tx: Database,
  userId: string,
  memberships: ReturnType<typeof repositoryMemberships>,
  slice: Slice,
): Promise<Row[]> {
  const columns = sql`r.repository_id, r.name, ${nameKey(sql`r.name`)} as lower_name, r.visibility, r.created_at, m.is_owner, m.is_member`;
  const listed = await readForMember<Listed>(tx, userId, slice, {
    table: 'repositories',
    alias: 'r',
    columns,
    memberships,
    readByMembership: async () => {
      const { rows } = await sql<Listed>`
        select ${columns} from (${memberships.all}) as m join repositories r using (repository_id)
        where ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
      return rows;
    },
  });
  const summaries = await readSummaries(
    tx,
    listed.map(({ repository_id }) => repository_id),
  );
  return listed.map((row) => ({ ...row, summary: summaries.get(row.repository_id) }));
}

function toOutput({ summary, ...row }: Row) {
  return {
    repositoryId: ids.repository.of(row.repository_id),
    name: row.name,
    createdAt: row.created_at,
    packageCount: summary?.packages ?? 0,
    isOwner: row.is_owner,
    isMember: row.is_member,
    visibility: row.visibility,
    usedBytes: summary?.bytes ?? 0,
    ...(summary?.newest === undefined ? {} : { newestVersion: summary.newest }),
  };
}
