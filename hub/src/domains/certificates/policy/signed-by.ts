import type { KeyObject, X509Certificate } from 'node:crypto';

const clientAuth = '1.3.6.1.5.5.7.3.2';

/** Whether an authority signed a certificate that is for a client, and valid now. */
export function isSignedBy(certificate: X509Certificate, authority: X509Certificate, now: Date): boolean {
  return (
    !certificate.ca &&
    certificate.checkIssued(authority) &&
    certificate.verify(authority.publicKey) &&
    isForClients(certificate) &&
    certificate.validFromDate <= now &&
    certificate.validToDate > now
  );
}

/** One without extended usages is for all. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  const usages = keyUsage as readonly string[] | undefined;
  return usages === undefined || usages.includes(clientAuth);
}

/** Whether a key is of the kind that devices make: ECDSA P-256 or Ed25519. */
export function isDeviceKey(key: KeyObject): boolean {
  return (
    key.asymmetricKeyType === 'ed25519' ||
    (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
  );
}
