import { X509Certificate } from 'node:crypto';
import { ids, type Id } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { trustedAuthorities } from '../sql/authorities.ts';
import { isSignedBy } from './signed-by.ts';

/** The authority that signed a certificate. */
export interface Signer {
  /** The raw id. */
  readonly authorityId: string;
  /** When the certificate ends. */
  readonly endsAt: Date;
  /** Whether the hub itself issued it, and so knew it once. */
  readonly isOfHub: boolean;
}

/** A certificate that a device presents. */
export interface PresentedCertificate {
  readonly der: Buffer;
  /** The raw id of the project. */
  readonly projectId: string;
  /** Undefined for a device that is new. */
  readonly deviceId: Id<'device'> | undefined;
}

/** Finds the authority of a project that signed a certificate; undefined where none did, or where the certificate names another device. */
export async function findSigner(
  tx: Database,
  { der, projectId, deviceId }: PresentedCertificate,
  now: Date,
): Promise<Signer | undefined> {
  const certificate = new X509Certificate(der);
  // The certificates that devices make for themselves cost no statement.
  if (certificate.issuer === certificate.subject) return undefined;
  const named = devicesNamedIn(certificate);
  if (named.some((name) => name !== deviceId)) return undefined;
  for (const { authorityId, certificatePem, hasKey } of await trustedAuthorities(tx, projectId, now))
    if (isSignedBy(certificate, new X509Certificate(certificatePem), now))
      return { authorityId, endsAt: certificate.validToDate, isOfHub: hasKey && named.length > 0 };
  return undefined;
}

/** The ids of devices among the common names. */
function devicesNamedIn({ subject }: X509Certificate): string[] {
  const names = [...subject.matchAll(/^CN=(.*)$/gm)].map(([, name = '']) => name);
  return names.filter((name) => ids.device.schema.safeParse(name).success);
}
