import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { foreignGraceEnd } from '../../devices/index.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { deleteAuthority, lockDemand, trustedAuthorities } from '../sql/authorities.ts';

/** Deletes an authority; where the project demands certificates, those of it end within a day. */
export const DeleteCertificateAuthority: Handler<'projects_DeleteCertificateAuthority', ProjectAccess> = {
  async authorize(context) {
    const access = await mustOwnProject(context.tx, context.actor, context.input.projectId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, now, emit }, { projectId }) {
    const demand = await lockDemand(tx, projectId);
    const end = demand?.isDemanded === true ? foreignGraceEnd(now) : undefined;
    const authorityId = ids.certificateAuthority.raw(input.authorityId);
    const trusted = await trustedAuthorities(tx, projectId, now);
    const name = await deleteAuthority(tx, { projectId, authorityId }, end, now);
    if (name === undefined) throw notFound('Certificate authority');
    if (demand?.isDemanded === true && trusted.every((one) => one.authorityId === authorityId))
      throw new ActionError(
        'Invalid',
        'The project demands certificates of its authorities, and this is the last one. End the demand first, or create another authority.',
      );
    emit('projects_CertificateAuthorityDeleted', { ...input, name });
    return {};
  },
};
