import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readCertificatePolicy } from '../sql/policy-details.ts';

/** Returns the authorities of a project, and how many devices hold a certificate of one. */
export const GetCertificatePolicy: Handler<'projects_GetCertificatePolicy', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, now }, { projectId }) {
    const found = await readCertificatePolicy(tx, projectId, now);
    if (found === undefined) throw notFound('Project');
    const { authorities, ...policy } = found;
    return {
      ...policy,
      authorities: authorities.map(({ authorityId, ...authority }) => ({
        authorityId: ids.certificateAuthority.of(authorityId),
        ...authority,
      })),
    };
  },
};
