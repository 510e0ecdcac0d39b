import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import * as tls from 'node:tls';
import { trustedAuthorities } from '@corral/client';
import { hasSystemStore } from '@corral/client/node';
import { AgentError } from '../AgentError.ts';
import type { DeviceCertificate } from '../identity/certificate.ts';

const contexts = new WeakMap<DeviceCertificate, SecureContext>();

/** The TLS context of this device: its certificate, and the given certificate of the hub or else `trustedAuthorities`. Throws an AgentError. */
export function secureContextOf(certificate: DeviceCertificate, hubCertificate?: string): SecureContext {
  const known = contexts.get(certificate);
  if (known !== undefined) return known;
  const { certificatePem: cert, keyPem: key } = certificate;
  const trusted =
    hubCertificate === undefined
      ? { ca: authorities() }
      : { ca: hubCertificate, allowPartialTrustChain: true };
  const context = createSecureContext({ cert, key, ...trusted });
  contexts.set(certificate, context);
  return context;
}

/** The authorities trusted for servers. Throws an AgentError. */
export function authorities(): string[] {
  try {
    return trustedAuthorities({
      env: process.env,
      tls,
      readFile: (path) => readFileSync(path, 'utf8'),
      hasSystemStore: hasSystemStore(process.env),
    });
  } catch (cause) {
    throw new AgentError((cause as Error).message, { cause });
  }
}
