import { ActionError, ids, type AlertState, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { findProjectViewer, type ProjectViewer } from '../../projects/index.ts';
import { mustSeePlace, type Place } from '../policy/access.ts';
import { mostUrgentFirst, readAlerts, type AlertRow } from '../sql/alerts.ts';
import { findMuted } from '../sql/mutes.ts';
import { ofPlace } from '../sql/rules.ts';
import { seenBy } from '../sql/viewer.ts';

type Shown = Output<'alerts_QueryAlerts'>['alerts'][number];
type Row = AlertRow & { readonly is_muted: boolean };

const allStates: readonly AlertState[] = ['Pending', 'Firing', 'Acknowledged', 'Resolved'];

/** Lists alerts. */
export const QueryAlerts: Handler<'alerts_QueryAlerts', Place | ProjectViewer> = {
  authorize: ({ tx, actor, input }) => {
    if (input.all !== true) return mustSeePlace(tx, actor, input.projectId);
    if (input.projectId !== undefined)
      throw new ActionError('Invalid', 'Ask for the alerts of a project or for all, not for both.');
    return findProjectViewer(tx, actor);
  },

  async run({ tx, db, input, now }, access) {
    const { states = allStates, severity, ruleId, deviceId, firedFrom, firedBefore, projectId } = input;
    const selection = {
      rules: 'isOwner' in access ? ofPlace(access.projectId) : (seenBy(access) ?? sql<boolean>`true`),
      states: [...new Set(states)],
      severity,
      ruleId: ruleId && ids.alertRule.raw(ruleId),
      deviceId: deviceId && ids.device.raw(deviceId),
      firedFrom,
      firedBefore,
    };
    const { items, more } = await readPage(mostUrgentFirst, input, {
      scope: JSON.stringify([
        projectId,
        input.all,
        states,
        severity,
        ruleId,
        deviceId,
        firedFrom,
        firedBefore,
      ]),
      read: async (slice) => {
        const rows = await readAlerts(tx, selection, slice);
        const isMuted = await mutedAmong(rows);
        return rows.map((row): Row => ({ ...row, is_muted: isMuted(row) }));
      },
      toItem: toOutput,
    });
    return { alerts: items, ...more };

    async function mutedAmong(rows: readonly AlertRow[]) {
      const places = Map.groupBy(rows, ({ project_id: place }) => place);
      const found = new Map<string | null, (row: AlertRow) => boolean>();
      for (const [place, alerts] of places)
        found.set(place, await findMuted(tx, alerts, { projectId: place, now, db }));
      return (row: AlertRow) => found.get(row.project_id)?.(row) === true;
    }
  },
};

function toOutput(row: Row): Shown {
  return {
    alertId: ids.alert.of(row.alert_id),
    ...(row.project_id === null ? {} : { projectId: ids.project.of(row.project_id) }),
    ...(row.project_name === null ? {} : { projectName: row.project_name }),
    ruleId: ids.alertRule.of(row.rule_id),
    ruleName: row.rule_name,
    severity: row.severity,
    state: row.state,
    subject: row.subject_name,
    ...(row.device_id === null ? {} : { deviceId: ids.device.of(row.device_id) }),
    ...(row.fleet_operation_id === null
      ? {}
      : { fleetOperationId: ids.fleetOperation.of(row.fleet_operation_id) }),
    since: row.since,
    ...(row.fired_at === null ? {} : { firedAt: row.fired_at }),
    ...(row.acknowledged_by === null ? {} : { acknowledgedBy: row.acknowledged_by }),
    ...(row.acknowledged_at === null ? {} : { acknowledgedAt: row.acknowledged_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.end_reason === null ? {} : { end: row.end_reason }),
    flaps: row.flaps,
    isMuted: row.is_muted,
    isTold: row.is_told,
  };
}
