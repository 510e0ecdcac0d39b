import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { findProjectViewer, type ProjectViewer } from '../../projects/index.ts';
import { mustSeePlace, type Place } from '../policy/access.ts';
import { countAlerts } from '../sql/alerts.ts';
import { ofPlace } from '../sql/rules.ts';
import { seenBy } from '../sql/viewer.ts';

/** Counts alerts that have not ended. */
export const CountAlerts: Handler<'alerts_CountAlerts', Place | ProjectViewer> = {
  authorize: ({ tx, actor, input }) => {
    if (input.all !== true) return mustSeePlace(tx, actor, input.projectId);
    if (input.projectId !== undefined)
      throw new ActionError('Invalid', 'Ask for the alerts of a project or for all, not for both.');
    return findProjectViewer(tx, actor);
  },

  run: ({ tx }, access) => countAlerts(tx, 'isOwner' in access ? ofPlace(access.projectId) : seenBy(access)),
};
