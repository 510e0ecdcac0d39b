import { ActionError, foreignCertificateDays } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { endAllForeign, lockDemand, saveDemand, trustedAuthorities } from '../sql/authorities.ts';

const dayMs = 86_400_000;

/** Says what a project demands of certificates, and sets when foreign ones end; the event has what was said before. */
export const SetCertificatePolicy: Handler<'projects_SetCertificatePolicy', ProjectAccess> = {
  async authorize(context) {
    const access = await mustOwnProject(context.tx, context.actor, context.input.projectId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, now, emit }, { projectId }) {
    const before = await lockDemand(tx, projectId);
    if (before === undefined) throw notFound('Project');
    const { isDemanded, validForDays, foreignDays } = input;
    if (isDemanded && (await trustedAuthorities(tx, projectId, now)).length === 0)
      throw new ActionError('Invalid', 'Create a certificate authority first.');
    await saveDemand(tx, projectId, { isDemanded, validForDays });
    if (isDemanded && (!before.isDemanded || foreignDays !== undefined)) {
      const days = foreignDays ?? foreignCertificateDays.default;
      await endAllForeign(tx, projectId, new Date(now.getTime() + days * dayMs));
    }
    if (!isDemanded && before.isDemanded) await endAllForeign(tx, projectId, null);
    const policy = { isDemanded, validForDays, ...(foreignDays === undefined ? {} : { foreignDays }) };
    emit('projects_CertificatePolicyChanged', { projectId: input.projectId, policy, before: { ...before } });
    return {};
  },
};
