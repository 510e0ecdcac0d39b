import { ActionError, type Input } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { mustBePerson } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustBeOwner, mustOwnProject, mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { startChange } from '../policy/start-change.ts';
import { selectForChange } from '../sql/change-selection.ts';
import { createChange } from '../sql/changes.ts';

/** Opens windows in which devices may replace their certificates, as a change of one device or of those that a filter finds. */
export const StartCertificateRotation: Handler<'devices_StartCertificateRotation', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const { deviceId, projectId } = input;
    if (deviceId !== undefined) return mustBeOwner(await mustSeeDevice(tx, actor, deviceId));
    if (projectId !== undefined) return mustOwnProject(tx, actor, projectId);
    mustBePerson(actor);
    throw new ActionError(
      'Invalid',
      'Say whose certificates are rotated: a device, or a project with a filter.',
    );
  },

  async run({ tx, db, input, actor, now, emit }, { projectId }) {
    const change = changeOf(input);
    const deviceIds = input.deviceId === undefined ? undefined : [input.deviceId];
    const selected = { query: input.query, deviceIds };
    const matched = await selectForChange(tx, selected, change, { projectId, now, db });
    const devices = sql`
      select m.device_id, m.name, m.given, null::jsonb as expected, false as is_reported
      from (${matched}) as m where m.reason is null`;
    const { changeId, total } = await createChange(tx, { projectId, change, actor, now }, devices, sql`null`);
    if (total === 0) throw await nothingToRotate(tx, matched);
    return { devices: total, ...startChange(emit, { changeId, projectId, change, undoes: null, total }) };
  },
};

function changeOf({ graceSecs, windowSecs, reason }: Input<'devices_StartCertificateRotation'>) {
  return {
    kind: 'RotateCertificates' as const,
    ...(graceSecs === undefined ? {} : { graceSecs }),
    ...(windowSecs === undefined ? {} : { windowSecs }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Why none of the selected devices can replace its certificate. */
async function nothingToRotate(tx: Database, matched: RawBuilder<unknown>): Promise<ActionError> {
  const { rows } = await sql<{ reason: string }>`select reason from (${matched}) as m limit 1`.execute(tx);
  return new ActionError('Invalid', rows[0]?.reason ?? 'There is no such device.');
}
