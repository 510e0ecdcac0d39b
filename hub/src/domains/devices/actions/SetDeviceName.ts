import { ids, nameProblem } from '@corral/contract';
import { sql } from 'kysely';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';

interface Access extends ProjectAccess {
  readonly name: string | null;
}

/** Names a device; a blank name clears it. */
export const SetDeviceName: Handler<'devices_SetDeviceName', Access> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeDevice(tx, actor, input.deviceId);
    const name = input.name?.trim() || null;
    mustHaveNoProblem(nameProblem(name ?? '', 'deviceName'));
    return { ...access, name };
  },

  async run({ tx, input, emit }, { projectId, name }) {
    const { rows } = await sql`
      update devices set name = ${name} where device_id = ${ids.device.raw(input.deviceId)} returning 1`.execute(
      tx,
    );
    if (rows.length === 0) throw notFound('Device');
    emit('devices_NameChanged', { deviceId: input.deviceId, projectId: ids.project.of(projectId), name });
    return {};
  },
};
