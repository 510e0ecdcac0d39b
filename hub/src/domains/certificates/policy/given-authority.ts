import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { ActionError } from '@corral/contract';
import { issueTrial } from './issuing.ts';
import { isSignedBy } from './signed-by.ts';

const wrong = (sentence: string): ActionError => new ActionError('Invalid', sentence);

/** What an owner gives, in PEM; the certificate alone is trusted and issues nothing. */
export interface GivenAuthority {
  readonly certificatePem: string;
  readonly keyPem?: string | undefined;
}

/** Checks an authority that an owner gives, by issuing with it once where it has a key. Throws an `ActionError` of kind Invalid with what is wrong. */
export async function mustBeAuthority(given: GivenAuthority, now: Date): Promise<GivenAuthority> {
  const certificate = parsed(
    () => new X509Certificate(given.certificatePem),
    'The certificate of the authority is no certificate in PEM.',
  );
  if (!certificate.ca)
    throw wrong('This is not the certificate of an authority: it may not sign certificates (CA:TRUE).');
  if (!(certificate.validToDate > now)) throw wrong('The certificate of the authority has ended.');
  mustBeStrong(
    parsed(() => certificate.publicKey, 'The key of the authority is of a kind that the hub does not know.'),
  );
  const certificatePem = certificate.toString();
  if (given.keyPem === undefined) return { certificatePem };
  const key = parsed(
    () => createPrivateKey(given.keyPem ?? ''),
    'The key of the authority is no private key in PEM without a passphrase.',
  );
  if (!certificate.checkPrivateKey(key)) throw wrong('The key is not that of the certificate.');
  const authority = { certificatePem, keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
  if (!isSignedBy(new X509Certificate(await issueTrial(authority, now)), certificate, now))
    throw wrong('This authority may not sign certificates of devices: its certificate forbids it.');
  return authority;
}

function parsed<Value>(parse: () => Value, sentence: string): Value {
  try {
    return parse();
  } catch {
    throw wrong(sentence);
  }
}

const rsaBits = { min: 2048, max: 4096 };

function mustBeStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const { namedCurve = '', modulusLength = 0 } = asymmetricKeyDetails ?? {};
  const isFine =
    asymmetricKeyType === 'ed25519' ||
    (asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve)) ||
    (asymmetricKeyType === 'rsa' && modulusLength >= rsaBits.min && modulusLength <= rsaBits.max);
  if (!isFine)
    throw wrong(
      'The key of an authority is one of ECDSA P-256 or P-384, Ed25519, or RSA of 2048 to 4096 bits.',
    );
}
