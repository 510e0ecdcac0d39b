import { createPrivateKey, sign } from 'node:crypto';
import { announcedProperty, rotationProperty } from '@corral/contract';
import type { DeviceLink } from '../link/device-link.ts';
import type { CertificatePair, OwnCertificates } from './own-certificates.ts';

type Link = Pick<DeviceLink, 'deviceId' | 'executor'>;

/** Whether the hub refused a call for what it was given, or because an older one does not know the action. */
const isInvalid = (error: unknown): boolean => (error as { readonly kind?: unknown }).kind === 'Invalid';

/** Whether the hub would issue another certificate now; undefined for an older hub, which issues none. */
export async function isRenewalDue({ executor, deviceId }: Link): Promise<boolean | undefined> {
  try {
    return (await executor.invoke('devices_GetCertificateRenewal', { deviceId })).isDue;
  } catch (error) {
    if (isInvalid(error)) return undefined;
    throw error;
  }
}

/** Has the hub issue the next certificate, for a new key. */
export async function issueNext(
  { executor, deviceId }: Link,
  own: OwnCertificates,
): Promise<CertificatePair> {
  const { makeRequest } = await import('./make-certificate.ts');
  const { request, keyPem } = await makeRequest();
  const { pem } = await executor.invoke('devices_IssueCertificate', { deviceId, request });
  const next = { certificatePem: pem, keyPem };
  await own.keepNext(next);
  return next;
}

/** The window that the hub has opened for this device, while it is open. */
export async function openWindow({
  executor,
  deviceId,
}: Link): Promise<{ readonly nonce: string } | undefined> {
  const found = await executor.invoke('devices_GetDeviceProperty', { deviceId, name: rotationProperty });
  if (found.result !== 'Found') return undefined;
  const { nonce } = found.value as { nonce?: unknown };
  // Whether it is still open the hub says: the clock of a device may be wrong.
  return typeof nonce === 'string' ? { nonce } : undefined;
}

/** Announces the next certificate; one of a window before, which the hub may refuse, gives way to another. */
export async function announceNext(
  link: Link,
  nonce: string,
  own: OwnCertificates,
): Promise<CertificatePair> {
  const kept = await own.next();
  if (kept !== undefined) {
    try {
      await announce(link, nonce, kept);
      return kept;
    } catch (error) {
      if (!isInvalid(error)) throw error;
    }
  }
  const next = await makeNext(own);
  await announce(link, nonce, next);
  return next;
}

async function makeNext(own: OwnCertificates): Promise<CertificatePair> {
  const { makeCertificate } = await import('./make-certificate.ts');
  const made = await makeCertificate();
  await own.keepNext(made);
  return made;
}

async function announce(
  { executor, deviceId }: Link,
  nonce: string,
  { certificatePem, keyPem }: CertificatePair,
): Promise<void> {
  const signed = Buffer.from(`${nonce}.${deviceId}`, 'utf8');
  const signature = sign('sha256', signed, createPrivateKey(keyPem)).toString('base64');
  const value = { pem: certificatePem, signature };
  await executor.invoke('devices_SetDeviceProperty', { deviceId, name: announcedProperty, value });
}
