import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../policy/actors.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

const newestFirst = listOrder<Row>('users_QueryRegistrations', 'desc', [
  sortKey('created_at', 'timestamptz'),
  sortKey('user_id', 'text'),
]);

/** Lists the registrations that wait to be activated, newest first. */
export const QueryRegistrations: Handler<'users_QueryRegistrations'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now }) {
    const { items, more } = await readPage(newestFirst, input, {
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select user_id, email, display_name, created_at, expires_at from user_registrations
          where expires_at > ${now} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toOutput,
    });
    return { registrations: items, ...more };
  },
};

function toOutput(row: Row) {
  return {
    userId: ids.user.of(row.user_id),
    email: row.email,
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
