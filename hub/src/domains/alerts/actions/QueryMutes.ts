import { ids, type Actor, type MaintenanceWindow, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { shownName } from '../../devices/index.ts';
import { mustSeePlace, type Place } from '../policy/access.ts';
import { mutesOfPlace } from '../sql/mutes.ts';

type Shown = Output<'alerts_QueryMutes'>['mutes'][number];

interface Row {
  readonly mute_id: string;
  readonly rule_id: string | null;
  readonly rule_name: string | null;
  readonly device_id: string | null;
  readonly device_name: string | null;
  readonly filter: string | null;
  readonly until: string | null;
  readonly daily_window: MaintenanceWindow | null;
  readonly reason: string | null;
  readonly created_by: Actor;
  readonly created_at: string;
}

const newestFirst = listOrder<Row>('alerts_QueryMutes', 'desc', [
  sortKey('created_at', 'timestamptz', sql`m.created_at`),
  sortKey('mute_id', 'text', sql`m.mute_id`),
]);

/** Lists what is muted, the newest first. */
export const QueryMutes: Handler<'alerts_QueryMutes', Place> = {
  authorize: ({ tx, actor, input }) => mustSeePlace(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const { items, more } = await readPage(newestFirst, input, {
      scope: projectId ?? '',
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select m.mute_id, m.rule_id, r.name as rule_name, m.device_id, ${shownName} as device_name, m.filter, m.until, m.daily_window, m.reason,
            m.created_by, m.created_at
          from alert_mutes m left join alert_rules r using (rule_id)
          left join devices d on d.device_id = m.device_id and d.project_id = m.project_id
          where ${mutesOfPlace(projectId)} and (m.until is null or m.until > ${now}) and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { mutes: items, ...more };
  },
};

function toOutput(row: Row): Shown {
  return {
    muteId: ids.alertMute.of(row.mute_id),
    ...(row.rule_id === null ? {} : { ruleId: ids.alertRule.of(row.rule_id) }),
    ...(row.rule_name === null ? {} : { ruleName: row.rule_name }),
    ...(row.device_id === null ? {} : { deviceId: ids.device.of(row.device_id) }),
    ...(row.device_name === null ? {} : { deviceName: row.device_name }),
    ...(row.filter === null ? {} : { filter: row.filter }),
    ...(row.until === null ? {} : { until: row.until }),
    ...(row.daily_window === null ? {} : { window: row.daily_window }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
