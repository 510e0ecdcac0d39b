import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import * as tls from 'node:tls';
import { AgentError } from '../AgentError.ts';
import type { DeviceCertificate } from '../identity/certificate.ts';

const contexts = new WeakMap<DeviceCertificate, SecureContext>();

/**
 * What a TLS connection of this device starts from, made once: its certificate, and whom to believe about the hub's. That are the system's
 * authorities and those that Node.js brings along, or those in the file that SSL_CERT_FILE names. Throws an AgentError.
 */
export function secureContextOf(certificate: DeviceCertificate): SecureContext {
  const known = contexts.get(certificate);
  if (known !== undefined) return known;
  const { certificatePem: cert, keyPem: key } = certificate;
  const context = createSecureContext({ cert, key, ca: authorities(process.env['SSL_CERT_FILE']) });
  contexts.set(certificate, context);
  return context;
}

function authorities(file: string | undefined): string[] {
  if (file !== undefined && file !== '') return [readAuthorities(file)];
  // Older Nodes cannot read the system's.
  const read = (tls as Partial<Pick<typeof tls, 'getCACertificates'>>).getCACertificates;
  return read === undefined ? [...rootCertificates] : [...new Set([...read('default'), ...read('system')])];
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AgentError(`SSL_CERT_FILE: the file ${file} cannot be read.`, { cause });
  }
}
