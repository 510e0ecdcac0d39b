import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';

interface Counts {
  readonly users: number;
  readonly administrators: number;
  readonly disabled: number;
}

/** Counts the users for administrators. */
export const CountUsers: Handler<'users_CountUsers'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx }) {
    const { rows } = await sql<Counts>`
      select count(*) as users, count(*) filter (where is_admin) as administrators,
        count(*) filter (where disabled_at is not null) as disabled from users where not is_service`.execute(
      tx,
    );
    return rows[0] ?? { users: 0, administrators: 0, disabled: 0 };
  },
};
