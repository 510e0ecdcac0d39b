import { canonicalEmail, ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../policy/actors.ts';
import { hasFactorSql } from '../sql/second-factors.ts';
import { nameKey, sortKey } from '../../../platform/db/paging/list-order.ts';
import { derivedKeys, nullsLast, namedOrder } from '../../../platform/db/paging/named-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { anyId, anyText, contains } from '../../../platform/db/paging/searched-text.ts';

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly is_admin: boolean;
  readonly is_admin_from_groups: boolean;
  readonly is_disabled: boolean;
  readonly has_password: boolean;
  readonly has_second_factor: boolean;
  readonly is_email_unconfirmed: boolean;
  readonly created_at: string;
  readonly name_rank: boolean;
  readonly name_key: string;
}

interface Filter {
  readonly search?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
}

const email = sortKey<Row>('email', 'text');
const id = sortKey<Row>('user_id', 'text');
const admin = sortKey<Row>('is_admin', 'boolean');
const orders = {
  id: () => [id],
  name: (isDescending: boolean) => [
    sortKey<Row>('name_rank', 'boolean', nullsLast(sql`display_name`, isDescending)),
    sortKey<Row>('name_key', 'text', nameKey(sql`coalesce(display_name, '')`)),
    email,
  ],
  email: () => [email],
  admin: () => [admin, email],
};

/** Lists every user for an administrator, or those that pass a filter. */
export const QueryUsers: Handler<'users_QueryUsers'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const list = namedOrder('users_QueryUsers', orders, input.order ?? 'email', 'email');
    const { items, more } = await readPage(list, input, {
      scope: filterName(input),
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select user_id, email, display_name, is_admin, is_admin_from_groups, disabled_at is not null as is_disabled,
            password_hash is not null as has_password, ${hasFactorSql(sql`users.user_id`)} as has_second_factor, only_invitation_id is not null as is_email_unconfirmed, created_at ${derivedKeys(list, [id, email, admin])}
          from users where not is_service and ${passes(input)} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { users: items, ...more };
  },
};

const isTrue = sql<boolean>`true`;
const searched = [anyText(sql`email`), anyText(sql`display_name`), anyId(ids.user, sql`user_id`)];

function passes({ search, isAdmin, isDisabled }: Filter): RawBuilder<boolean> {
  const byRight = isAdmin === undefined ? isTrue : sql<boolean>`is_admin = ${isAdmin}`;
  const byState = isDisabled === undefined ? isTrue : sql<boolean>`(disabled_at is not null) = ${isDisabled}`;
  // People copy addresses as browsers send them.
  const readable = search?.includes('xn--') === true ? canonicalEmail(search) : search;
  return sql<boolean>`${contains(searched, readable)} and ${byRight} and ${byState}`;
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
    ...(row.is_admin_from_groups ? { isAdminFromGroups: true } : {}),
    isDisabled: row.is_disabled,
    hasPassword: row.has_password,
    ...(row.has_second_factor ? { hasSecondFactor: true } : {}),
    ...(row.is_email_unconfirmed ? { isEmailUnconfirmed: true } : {}),
    createdAt: row.created_at,
  };
}
