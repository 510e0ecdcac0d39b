import { actionMutation } from '../../../data/action-mutation.ts';

/** Gives a project a certificate authority. */
export const createAuthority = actionMutation(
  'projects_CreateCertificateAuthority',
  'projects_CertificateAuthorityCreated',
);

/** Deletes a certificate authority with its key. */
export const deleteAuthority = actionMutation(
  'projects_DeleteCertificateAuthority',
  'projects_CertificateAuthorityDeleted',
);

/** Says which certificates the devices of a project need, and how long issued ones are valid. */
export const setCertificatePolicy = actionMutation(
  'projects_SetCertificatePolicy',
  'projects_CertificatePolicyChanged',
);
