import { ActionError, ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage, type PageRequest } from '../../../platform/db/paging/read-page.ts';
import { homeOfRow } from '../../users/index.ts';

/** The project or the repository of service accounts, by its raw id. */
export interface Home {
  readonly kind: 'project' | 'repository';
  readonly id: string;
}

const namesOf = {
  project: {
    members: sql.table('project_members'),
    key: sql.ref('project_id'),
    home: sql.ref('service_project_id'),
  },
  repository: {
    members: sql.table('repository_members'),
    key: sql.ref('repository_id'),
    home: sql.ref('service_repository_id'),
  },
} as const;

/**
 * Adds a service account with its membership, and returns its raw id. It has no password, and in place of an e-mail address a text that is none.
 */
export async function addServiceAccount(
  tx: Database,
  { kind, id }: Home,
  name: string,
  now: Date,
): Promise<string> {
  const { members, key, home } = namesOf[kind];
  const userId = newRawId();
  const { rows } = await sql`
    with account as (
      insert into users (user_id, email, display_name, created_at, is_service, ${home})
      select ${userId}, ${`service-account ${userId}`}, ${name}, ${now}, true, ${id}
      where (select count(*) from users where ${home} = ${id}) < ${amounts.serviceAccounts.max} returning user_id
    )
    insert into ${members} (${key}, user_id, is_owner, added_at) select ${id}, user_id, false, ${now} from account
    returning 1`.execute(tx);
  if (rows.length > 0) return userId;
  throw new ActionError(
    'Invalid',
    `A ${kind} may have at most ${amounts.serviceAccounts.max} service accounts. Delete some first.`,
  );
}

interface Row {
  readonly user_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly token_count: number;
  readonly last_used_at: string | null;
}

const byName = listOrder<Row>('service accounts', 'asc', [
  sortKey('name', 'text', sql`u.display_name`),
  sortKey('user_id', 'text', sql`u.user_id`),
]);

/** SQL for whether a service account is not that of a publisher, which is removed with it. */
export const isOfNoPublisher = (userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from publishers p where p.user_id = ${userId})`;

/** Reads a page of the service accounts of a project or repository, by name. */
export async function readServiceAccounts(tx: Database, { kind, id }: Home, request: PageRequest) {
  const { items, more } = await readPage(byName, request, {
    scope: id,
    read: async (slice) => {
      const { rows } = await sql<Row>`
        select u.user_id, u.display_name as name, u.created_at,
          (select count(*) from user_tokens t where t.user_id = u.user_id) as token_count,
          (select max(last_used_at) from user_tokens t where t.user_id = u.user_id) as last_used_at
        from users u where u.${namesOf[kind].home} = ${id} and ${isOfNoPublisher(sql`u.user_id`)}
          and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
      return rows;
    },
    toItem: (row) => ({
      userId: ids.user.of(row.user_id),
      name: row.name,
      createdAt: row.created_at,
      tokenCount: row.token_count,
      ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    }),
  });
  return { serviceAccounts: items, ...more };
}

/** Deletes a service account, by raw id, with its membership and its tokens, if a condition on `users` holds; returns what its event names, undefined if there is none. */
export async function deleteServiceAccount(tx: Database, userId: string, isAllowed: RawBuilder<boolean>) {
  const deleted = await tx
    .deleteFrom('users')
    .where('user_id', '=', userId)
    .where(sql<boolean>`is_service and ${isAllowed}`)
    .returning(['display_name', 'service_project_id', 'service_repository_id'])
    .executeTakeFirst();
  if (deleted === undefined) return undefined;
  return { userId: ids.user.of(userId), name: deleted.display_name ?? '', ...homeOfRow(deleted) };
}
