import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { listOrder, sortKey } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly is_admin: boolean;
  readonly is_disabled: boolean;
  readonly has_password: boolean;
  readonly created_at: string;
}

interface Filter {
  readonly search?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
}

const byEmail = listOrder<Row>('users_QueryUsers', 'asc', [sortKey('email', 'text')]);

/** Lists every user for an administrator, or those that pass a filter. */
export const QueryUsers: Handler<'users_QueryUsers'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const { items, more } = await readPage(byEmail, input, {
      of: filterName(input),
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select user_id, email, display_name, is_admin, disabled_at is not null as is_disabled,
            password_hash is not null as has_password, created_at
          from users where ${passes(input)} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toOutput,
    });
    return { users: items, ...more };
  },
};

const isTrue = sql<boolean>`true`;

function passes({ search = '', isAdmin, isDisabled }: Filter): RawBuilder<boolean> {
  const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
  const isFound =
    search.trim() === ''
      ? isTrue
      : sql<boolean>`(email ilike ${pattern} or display_name ilike ${pattern} or 'u_' || user_id like ${pattern})`;
  const byRight = isAdmin === undefined ? isTrue : sql<boolean>`is_admin = ${isAdmin}`;
  const byState = isDisabled === undefined ? isTrue : sql<boolean>`(disabled_at is not null) = ${isDisabled}`;
  return sql<boolean>`${isFound} and ${byRight} and ${byState}`;
}

/** A cursor belongs to the filter that its page was read with. */
function filterName({ search, isAdmin, isDisabled }: Filter): string {
  const parts = [search, isAdmin, isDisabled];
  return parts.every((part) => part === undefined) ? '' : JSON.stringify(parts.map((part) => part ?? null));
}

function toOutput(row: Row) {
  return {
    userId: ids.user.of(row.user_id),
    email: row.email,
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    isAdmin: row.is_admin,
    isDisabled: row.is_disabled,
    hasPassword: row.has_password,
    createdAt: row.created_at,
  };
}
