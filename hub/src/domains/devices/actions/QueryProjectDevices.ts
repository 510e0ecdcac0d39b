import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readDeviceFilter } from '../sql/filters/device-filter.ts';
import { deviceOrder, type ListedDevice } from '../sql/device-lists.ts';
import { filteredDevices } from '../sql/filtered-devices.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';

/** Lists the devices of a project with presence, health and pending certificates; newest first by default. */
export const QueryProjectDevices: Handler<'projects_QueryProjectDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, db, input, now }, { projectId }) {
    const { filter, order } = input;
    const list = deviceOrder(order, now);
    const { items, more } = await readPage(list, input, {
      scope: filteredScope(projectId, filter),
      read: await filteredDevices(tx, {
        projectId,
        filter: await readDeviceFilter(tx, filter, { projectId, now, db }),
        list,
        order,
        now,
      }),
      toItem: (row) => toOutput(row, now),
    });
    return { devices: items, ...more };
  },
};

function toOutput(row: ListedDevice, now: Date) {
  return {
    deviceId: ids.device.of(row.device_id),
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.hostname === null ? {} : { hostname: row.hostname }),
    firstSeen: row.created_at,
    status: statusOf(row),
    isConnected: row.live_since !== null,
    pendingCertificatesCount: row.pending_certificates,
    ...(row.last_connected_at === null ? {} : { lastConnectedAt: row.last_connected_at }),
    ...lastSeen(row, now),
    ...(row.live_since === null ? {} : { currentConnectionDurationSecs: secsSince(row.live_since, now) }),
    ...(row.labels === null ? {} : { labels: [...row.labels] }),
  };
}

function lastSeen({ live_since, last_seen_at }: ListedDevice, now: Date): { lastSeenAt?: string } {
  if (live_since !== null) return { lastSeenAt: now.toISOString() };
  return last_seen_at === null ? {} : { lastSeenAt: last_seen_at };
}

/** A connected device without a health property counts as healthy. */
function statusOf({ live_since, health }: ListedDevice): 'healthy' | 'warning' | 'error' | 'offline' {
  if (live_since === null) return 'offline';
  if (health === 'degraded') return 'warning';
  return health === 'error' ? 'error' : 'healthy';
}

function secsSince(at: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000));
}
