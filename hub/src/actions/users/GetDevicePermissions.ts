import { ids, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustBeSelfOrAdministrator } from '../../policy/actors.ts';

/** Tells whether a user may access a device: as a member of its project, or as an administrator (whom a token never speaks for). */
export const GetDevicePermissions: Handler<'users_GetDevicePermissions'> = {
  async authorize({ tx, actor, input }) {
    if (actor.actor !== 'ClusterNode') await mustBeSelfOrAdministrator(tx, actor, input.userId);
  },

  async run({ tx, actor, input }) {
    const { rows } = await sql`
      select 1 from devices d, users u
      where d.device_id = ${ids.device.raw(input.deviceId)} and u.user_id = ${ids.user.raw(input.userId)}
        and ((u.is_admin and ${isMoreThanToken(actor)})
          or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))`.execute(
      tx,
    );
    return { hasAccess: rows.length > 0 };
  },
};

function isMoreThanToken(actor: Actor): boolean {
  return actor.actor !== 'UserToken';
}
