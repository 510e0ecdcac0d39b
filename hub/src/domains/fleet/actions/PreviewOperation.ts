import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { mustReadVersion } from '../../repositories/index.ts';
import { findEligible } from '../sql/eligibility.ts';
import { planOf } from '../sql/plan.ts';
import { readStarters } from '../sql/starters.ts';
import { readPreview } from '../sql/preview.ts';

/** Says what an operation would do now. It counts as a search, since it reads all devices that the filter finds. */
export const PreviewOperation: Handler<'fleet_PreviewOperation', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeProject(tx, actor, input.projectId);
    if (input.install !== undefined) await mustReadVersion(tx, actor, input.install.versionId);
    return access;
  },

  async run({ tx, db, input, actor, now }, { projectId, isOwner }) {
    const scope = { projectId, now, db };
    const plan = await planOf(tx, input, scope);
    const eligibility = await findEligible(tx, plan, scope);
    const preview = await readPreview(tx, input, plan, eligibility, now);
    return { ...preview, ...(await readStarters(tx, { projectId, isOwner, actor }, preview, input, plan)) };
  },
};
