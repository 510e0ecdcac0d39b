import type { Actor } from '@corral/contract';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface CertificateAuthorities {
  authority_id: string;
  project_id: string;
  name: string;
  certificate_pem: string;
  /** SHA-256 over DER: upper-case hex pairs joined by colons. */
  fingerprint: string;
  /** Its key as PKCS #8 in PEM; null where it is only trusted. */
  sealed: Buffer | null;
  sealed_under: string | null;
  created_by: JsonColumn<Actor>;
  created_at: TimestampColumn;
  /** As its certificate says. */
  ends_at: TimestampColumn;
}

/** The table of the certificate authorities of projects. */
export interface CertificateAuthorityTables {
  certificate_authorities: CertificateAuthorities;
}
