import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';

interface Counts {
  readonly users: number;
  readonly projects: number;
  readonly devices: number;
}

/** Counts users, projects and devices for administrators. */
export const GetInstanceStatistics: Handler<'instance_GetInstanceStatistics'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx }) {
    const { rows } = await sql<Counts>`
      select (select count(*) from users) as users, (select count(*) from projects) as projects,
        (select count(*) from devices) as devices`.execute(tx);
    return rows[0] ?? { users: 0, projects: 0, devices: 0 };
  },
};
