import { ActionError, ids, type Input } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeName } from '../../../auth/names.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { mustBeAuthority, type GivenAuthority } from '../policy/given-authority.ts';
import { describedCertificate, makeAuthority } from '../policy/issuing.ts';
import { addAuthority, lockDemand, newAuthorityId } from '../sql/authorities.ts';

/** Gives a project an authority; its key never leaves the hub. */
export const CreateCertificateAuthority: Handler<'projects_CreateCertificateAuthority', ProjectAccess> = {
  async authorize(context) {
    const access = await mustOwnProject(context.tx, context.actor, context.input.projectId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, vault, input, actor, now, emit }, { projectId }) {
    const name = mustBeName(input.name, 'name');
    const rawId = newAuthorityId();
    const authorityId = ids.certificateAuthority.of(rawId);
    const { certificatePem, keyPem } =
      (await givenIn(input, now)) ?? (await makeAuthority(`Corral ${authorityId}`, now));
    const { fingerprint, endsAt } = describedCertificate(certificatePem);
    if ((await lockDemand(tx, projectId)) === undefined) throw notFound('Project');
    const added = { projectId, authorityId: rawId, name, certificatePem, keyPem, fingerprint, endsAt };
    await addAuthority(tx, vault, { ...added, actor, now });
    emit('projects_CertificateAuthorityCreated', {
      projectId: input.projectId,
      authorityId,
      name,
      fingerprint,
      endsAt: endsAt.toISOString(),
      isIssuing: keyPem !== undefined,
    });
    return { authorityId };
  },
};

async function givenIn(
  { certificatePem, keyPem }: Input<'projects_CreateCertificateAuthority'>,
  now: Date,
): Promise<GivenAuthority | undefined> {
  if (certificatePem !== undefined) return mustBeAuthority({ certificatePem, keyPem }, now);
  if (keyPem === undefined) return undefined;
  throw new ActionError('Invalid', 'Give the certificate of the authority beside its key.');
}
