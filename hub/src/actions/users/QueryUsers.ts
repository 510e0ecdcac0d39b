import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { listOrder, sortKey } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly is_admin: boolean;
}

const byEmail = listOrder<Row>('users_QueryUsers', 'asc', [sortKey('email', 'text')]);

/** Lists every user for an administrator. */
export const QueryUsers: Handler<'users_QueryUsers'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const { items, more } = await readPage(byEmail, input, {
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select user_id, email, display_name, is_admin from users where ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
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
    email: row.email,
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    isAdmin: row.is_admin,
  };
}
