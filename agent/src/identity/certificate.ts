import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileProblem } from '@corral/client/node';
import { AgentError } from '../AgentError.ts';

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
}

/** Reads the device's certificate; on the first start it creates a self-signed one, with a key that only the owner can read. */
export async function loadCertificate(files: CertificateFiles): Promise<DeviceCertificate> {
  const certificatePem = await readIfThere(files.certificate);
  const keyPem = await readIfThere(files.key);
  if (certificatePem !== undefined && keyPem !== undefined) return described(certificatePem, keyPem, files);
  if (certificatePem !== undefined || keyPem !== undefined) {
    const missing = keyPem === undefined ? files.key : files.certificate;
    throw new AgentError(`ssl-cert and ssl-key belong together: ${missing} is missing beside the other.`);
  }
  // Needed only on the first start, so its libraries are loaded only then.
  const { makeCertificate } = await import('./make-certificate.ts');
  const made = await makeCertificate();
  await writeNew(files.key, made.keyPem, 0o600);
  await writeNew(files.certificate, made.certificatePem, 0o644);
  return described(made.certificatePem, made.keyPem, files);
}

function described(certificatePem: string, keyPem: string, files: CertificateFiles): DeviceCertificate {
  const certificate = parsed(
    () => new X509Certificate(certificatePem),
    `ssl-cert: ${files.certificate} is not a certificate in PEM.`,
  );
  const key = parsed(() => createPrivateKey(keyPem), `ssl-key: ${files.key} is not a private key in PEM.`);
  if (!certificate.checkPrivateKey(key))
    throw new AgentError(`ssl-key: ${files.key} is not the key of the certificate ${files.certificate}.`);
  const hex = createHash('sha256').update(certificate.raw).digest('hex').toUpperCase();
  return { certificatePem, keyPem, fingerprint: (hex.match(/../g) ?? []).join(':') };
}

function parsed<Value>(parse: () => Value, sentence: string): Value {
  try {
    return parse();
  } catch (cause) {
    throw new AgentError(sentence, { cause });
  }
}

/** The text of a file; undefined when it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return undefined;
    throw new AgentError(`The file ${path} cannot be read: ${fileProblem(cause, path)}.`, { cause });
  }
}

/** Writes a file that must not exist yet, with its folder. */
export async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', mode);
    await file.writeFile(text);
    await file.sync();
    await file.close();
  } catch (cause) {
    throw new AgentError(`The file ${path} cannot be written: ${fileProblem(cause, path)}.`, { cause });
  }
}
