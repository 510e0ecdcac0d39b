// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CreateCertificateAuthority } from './CreateCertificateAuthority.ts';
import { DeleteCertificateAuthority } from './DeleteCertificateAuthority.ts';
import { GetCertificatePolicy } from './GetCertificatePolicy.ts';
import { GetCertificateRenewal } from './GetCertificateRenewal.ts';
import { IssueCertificate } from './IssueCertificate.ts';
import { SetCertificatePolicy } from './SetCertificatePolicy.ts';

/** The actions of this domain by wire name. */
export const certificatesActions = {
  projects_CreateCertificateAuthority: CreateCertificateAuthority,
  projects_DeleteCertificateAuthority: DeleteCertificateAuthority,
  projects_GetCertificatePolicy: GetCertificatePolicy,
  devices_GetCertificateRenewal: GetCertificateRenewal,
  devices_IssueCertificate: IssueCertificate,
  projects_SetCertificatePolicy: SetCertificatePolicy,
};
