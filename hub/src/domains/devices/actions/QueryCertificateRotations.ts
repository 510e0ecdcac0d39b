import { ActionError, ids } from '@corral/contract';
import { mustBePerson } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeDevice, mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readRotations, type RotationRow, rotationsNewestFirst } from '../sql/certificate-rotations.ts';

/** Lists the rotations of certificates of a project or a device, newest first. */
export const QueryCertificateRotations: Handler<'devices_QueryCertificateRotations', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const { deviceId, projectId } = input;
    if (deviceId !== undefined) return mustSeeDevice(tx, actor, deviceId);
    if (projectId !== undefined) return mustSeeProject(tx, actor, projectId);
    mustBePerson(actor);
    throw new ActionError('Invalid', 'Say whose rotations are listed: those of a project, or of a device.');
  },

  async run({ tx, input, now }, { projectId }) {
    const deviceId = input.deviceId === undefined ? undefined : ids.device.raw(input.deviceId);
    const { state, isUnresolved = false } = input;
    const of = { projectId, deviceId, state, isUnresolved };
    const { items, more } = await readPage(rotationsNewestFirst, input, {
      scope: filteredScope(deviceId ?? projectId, [state, isUnresolved].join(' ')),
      read: (slice) => readRotations(tx, of, slice, now),
      toItem: toOutput,
    });
    return { rotations: items, ...more };
  },
};

const stuck = 'It announced a certificate, but is still connected with an old one.';

function toOutput(row: RotationRow) {
  const problem = row.problem ?? (row.is_stuck ? stuck : null);
  return {
    deviceId: ids.device.of(row.device_id),
    ...(row.device_name === null ? {} : { deviceName: row.device_name }),
    state: row.state,
    startedBy: row.started_by,
    startedAt: row.started_at,
    until: row.until,
    graceSecs: row.grace_secs,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.certificate_id === null ? {} : { certificateId: ids.deviceCertificate.of(row.certificate_id) }),
    ...(row.announced_at === null ? {} : { announcedAt: row.announced_at }),
    ...(row.arrived_at === null ? {} : { arrivedAt: row.arrived_at }),
    ...(row.old_ends_at === null ? {} : { oldEndsAt: row.old_ends_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(problem === null ? {} : { problem }),
  };
}
