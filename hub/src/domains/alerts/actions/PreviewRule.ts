import type { Handler } from '../../../calls/handler.ts';
import { mustSeePlace, type Place } from '../policy/access.ts';
import { mustBeCondition } from '../policy/rule-checks.ts';
import { countPastAbsences } from '../sql/past-absences.ts';
import { previewFound } from '../sql/preview-found.ts';

/** Says what a condition finds, before there is a rule. */
export const PreviewRule: Handler<'alerts_PreviewRule', Place> = {
  authorize: ({ tx, actor, input }) => mustSeePlace(tx, actor, input.projectId),

  async run({ tx, db, input: { condition }, now }, { projectId }) {
    await mustBeCondition(tx, condition, { projectId, now, db });
    const found = await previewFound(tx, { projectId: projectId ?? undefined, condition, now, db });
    if (condition.kind !== 'Offline' || projectId === null) return found;
    return { ...found, days: await countPastAbsences(tx, { projectId, condition, now, db }) };
  },
};
