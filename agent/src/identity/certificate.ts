import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { AgentError } from '../AgentError.ts';
import { readIfThere, writeNew } from './own-file.ts';

/** The certificate of the device and its private key. */
export interface DeviceCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
  /** SHA-256 over DER: upper-case hex pairs joined by colons. */
  readonly fingerprint: string;
}

/** The paths of certificate and key, in PEM. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
  /** Whether nobody but the agent makes them, so that an empty one or a key alone is what a first start left that was interrupted. */
  readonly areOwn: boolean;
}

/** Reads the device's certificate; on the first start it creates a self-signed one, with a key that only the owner can read. */
export async function loadCertificate(files: CertificateFiles): Promise<DeviceCertificate> {
  const certificatePem = await readMade(files.certificate, files);
  const keyPem = await readMade(files.key, files);
  if (certificatePem !== undefined && keyPem !== undefined) return described(certificatePem, keyPem, files);
  if (certificatePem !== undefined) throw missingBesideOther(files.key);
  if (keyPem !== undefined && !files.areOwn) throw missingBesideOther(files.certificate);
  return makeMissing(files, keyPem);
}

const missingBesideOther = (path: string): AgentError =>
  new AgentError(`ssl-cert and ssl-key belong together: ${path} is missing beside the other.`);

async function readMade(path: string, { areOwn }: CertificateFiles): Promise<string | undefined> {
  const text = await readIfThere(path);
  return text === '' && areOwn ? undefined : text;
}

/** Makes the certificate, and its key unless a first start that was interrupted has left it. */
async function makeMissing(files: CertificateFiles, keyPem: string | undefined): Promise<DeviceCertificate> {
  const kept = keyPem === undefined ? undefined : readKey(keyPem, files);
  if (kept !== undefined && kept.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw missingBesideOther(files.certificate);
  // Needed only on the first start, so its libraries are loaded only then.
  const { makeCertificate } = await import('./make-certificate.ts');
  const made = await makeCertificate(kept);
  if (kept === undefined) await writeNew(files.key, made.keyPem, 0o600);
  await writeNew(files.certificate, made.certificatePem, 0o644);
  return described(made.certificatePem, made.keyPem, files);
}

function described(certificatePem: string, keyPem: string, files: CertificateFiles): DeviceCertificate {
  const certificate = parsed(
    () => new X509Certificate(certificatePem),
    `ssl-cert: ${files.certificate} is not a certificate in PEM.`,
  );
  const key = readKey(keyPem, files);
  if (!certificate.checkPrivateKey(key))
    throw new AgentError(`ssl-key: ${files.key} is not the key of the certificate ${files.certificate}.`);
  return { certificatePem, keyPem, fingerprint: certificate.fingerprint256 };
}

/** A certificate and its key with the fingerprint. */
export function pairOf({
  certificatePem,
  keyPem,
}: Pick<DeviceCertificate, 'certificatePem' | 'keyPem'>): DeviceCertificate {
  return { certificatePem, keyPem, fingerprint: new X509Certificate(certificatePem).fingerprint256 };
}

const readKey = (keyPem: string, { key }: CertificateFiles): KeyObject =>
  parsed(() => createPrivateKey(keyPem), `ssl-key: ${key} is not a private key in PEM.`);

function parsed<Value>(parse: () => Value, sentence: string): Value {
  try {
    return parse();
  } catch (cause) {
    throw new AgentError(sentence, { cause });
  }
}
