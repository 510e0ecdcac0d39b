import { ActionError, ids, type Input } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { findProjectViewer } from '../../projects/index.ts';
import { mustSeePlace } from '../policy/access.ts';
import { ofProject } from '../policy/event-data.ts';
import { acknowledge, findsAlert, type AlertSelection } from '../sql/alerts.ts';
import { ofPlace } from '../sql/rules.ts';
import { seenBy } from '../sql/viewer.ts';

type Selection = Omit<AlertSelection, 'states'> & { readonly alertIds?: readonly string[] };

/** Acknowledges alerts; who may see them may. */
export const Acknowledge: Handler<'alerts_Acknowledge', Selection> = {
  authorize: async ({ tx, actor, input: { alertIds, matching } }) => {
    if ((alertIds === undefined) === (matching === undefined))
      throw new ActionError('Invalid', 'Name the alerts, or say which match: one of both.');
    if (alertIds === undefined) {
      const { projectId } = await mustSeePlace(tx, actor, matching?.projectId);
      return selectionOf(projectId, matching);
    }
    const named = alertIds.map((id) => ids.alert.raw(id));
    const rules = seenBy(await findProjectViewer(tx, actor)) ?? sql<boolean>`true`;
    if (!(await findsAlert(tx, rules, named))) throw notFound('Alert');
    return { rules, alertIds: named };
  },

  async run({ tx, actor, now, emit }, selection) {
    const found = await acknowledge(tx, selection, { actor, now });
    for (const { projectId, count } of found) emit('alerts_Acknowledged', { ...ofProject(projectId), count });
    return { acknowledged: found.reduce((sum, { count }) => sum + count, 0) };
  },
};

function selectionOf(projectId: string | null, matching: Input<'alerts_Acknowledge'>['matching']): Selection {
  const { severity, ruleId, deviceId } = matching ?? {};
  return {
    rules: ofPlace(projectId),
    severity,
    ruleId: ruleId && ids.alertRule.raw(ruleId),
    deviceId: deviceId && ids.device.raw(deviceId),
  };
}
