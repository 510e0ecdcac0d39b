import { ActionError, ids, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeDevice, mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import type { SessionRow } from '../sql/sessions.ts';

type Shown = Output<'devices_QueryTerminals'>['terminals'][number];

const newestFirst = listOrder<SessionRow>('devices_QueryTerminals', 'desc', [
  sortKey('opened_at', 'timestamptz', sql`t.opened_at`),
  sortKey('session_id', 'text', sql`t.session_id`),
]);

/** Lists terminals. */
export const QueryTerminals: Handler<'devices_QueryTerminals', ProjectAccess> = {
  authorize({ tx, actor, input: { projectId, deviceId } }) {
    if (projectId !== undefined && deviceId === undefined) return mustSeeProject(tx, actor, projectId);
    if (deviceId !== undefined && projectId === undefined) return mustSeeDevice(tx, actor, deviceId);
    throw new ActionError('Invalid', 'Name a project or a device: one of both.');
  },

  async run({ tx, input }, { projectId }) {
    const { deviceId, state } = input;
    const ofDevice = deviceId === undefined ? sql`true` : sql`t.device_id = ${ids.device.raw(deviceId)}`;
    const inState = state === undefined ? sql`true` : sql`t.state = ${state}`;
    const { items, more } = await readPage(newestFirst, input, {
      scope: JSON.stringify([projectId, deviceId, state]),
      read: async (slice) => {
        const { rows } = await sql<SessionRow>`
          select t.* from terminal_sessions t where t.project_id = ${projectId} and ${ofDevice} and ${inState}
            and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toOutput,
    });
    return { terminals: items, ...more };
  },
};

function toOutput(row: SessionRow): Shown {
  return {
    sessionId: ids.terminal.of(row.session_id),
    deviceId: ids.device.of(row.device_id),
    ...(row.device_name === null ? {} : { deviceName: row.device_name }),
    projectId: ids.project.of(row.project_id),
    openedBy: row.opened_by,
    ...(row.device_user === null ? {} : { user: row.device_user }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    state: row.state,
    ...(row.approval === 'None' ? {} : { approval: row.approval }),
    openedAt: row.opened_at,
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...endOf(row),
    ...(row.decided_by === null ? {} : { approvedBy: row.decided_by }),
    isRecorded: row.recorded_bytes > 0,
    ...(row.recorded_bytes === 0 ? {} : { recordedBytes: row.recorded_bytes }),
    ...(row.gaps === 0 ? {} : { gaps: row.gaps }),
    ...waiverOf(row),
  };
}

function waiverOf({ waived_by, waived_at, waiver_reason }: SessionRow) {
  if (waived_by === null || waived_at === null || waiver_reason === null) return {};
  return { waivedBy: waived_by, waivedAt: waived_at, waiverReason: waiver_reason };
}

function endOf(row: SessionRow) {
  const { ended_at, end_reason, ended_by, exit_status, digest } = row;
  if (ended_at === null || end_reason === null) return {};
  return {
    endedAt: ended_at,
    endReason: end_reason,
    ...(ended_by === null ? {} : { endedBy: ended_by }),
    ...(exit_status === null ? {} : { exitStatus: exit_status }),
    ...(digest === null ? {} : { digest: `sha256_${digest.toString('hex')}` }),
  };
}
