import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { acceptPending } from '../policy/device-changes.ts';

/** Accepts those of the certificates that are pending in the project; of the others it does not say why they are not. */
export const AcceptDeviceCertificates: Handler<'projects_AcceptDeviceCertificates', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, now, input: { certificateIds }, emit }, { projectId }) {
    const rawIds = certificateIds.map(ids.deviceCertificate.raw);
    const accepted = await acceptPending({ tx, now, emit, projectId }, rawIds);
    const isAccepted = (id: (typeof certificateIds)[number]) => accepted.has(ids.deviceCertificate.raw(id));
    return {
      acceptedIds: certificateIds.filter(isAccepted),
      unchangedIds: certificateIds.filter((id) => !isAccepted(id)),
    };
  },
};
