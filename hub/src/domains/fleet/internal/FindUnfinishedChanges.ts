import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';

/** The raw ids of the changes that have not ended. */
export const FindUnfinishedChanges: Internal<void, readonly string[]> = {
  name: 'fleet_FindUnfinishedChanges',
  isQuery: true,

  async run({ tx }) {
    const { rows } = await sql<{ id: string }>`
      select change_id as id from fleet_changes where completed_at is null order by change_id`.execute(tx);
    return rows.map(({ id }) => id);
  },
};
