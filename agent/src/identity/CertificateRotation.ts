import { createPrivateKey, sign } from 'node:crypto';
import { ActionError, announcedProperty, rotationProperty } from '@corral/contract';
import type { DeviceLink } from '../link/device-link.ts';
import type { Log } from '../log.ts';
import { pairOf } from './certificate.ts';
import type { DeviceIdentity } from './identity.ts';
import type { CertificatePair, OwnCertificates } from './own-certificates.ts';

/** How the certificate of this device is replaced. */
export interface RotationOptions {
  /** Whether something runs that the end of the connection would end. */
  readonly isBusy: () => boolean;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly nowMs?: () => number;
}

type Link = Pick<DeviceLink, 'deviceId' | 'executor' | 'closed' | 'end' | 'close'>;

/** A new certificate that has not connected for so long gives way to the old one. */
const proveWithinMs = 600_000;
const lookEveryMs = 600_000;
const busyCheckMs = 5_000;

/** Replaces the certificate of this device while its hub allows it: announces the new one over the old one, and puts the old one back where the new one does not connect. */
export class CertificateRotation {
  readonly #options: RotationOptions;
  #identity: DeviceIdentity;
  /** Until when the certificate in use has to connect; undefined where it did. */
  #proveUntilMs: number | undefined;
  /** The window in which the new certificate did not connect. */
  #failedNonce: string | undefined;
  #nonce: string | undefined;

  private constructor(identity: DeviceIdentity, options: RotationOptions) {
    this.#options = options;
    this.#identity = identity;
  }

  /** The certificate of a device; one that was put to use before a restart may have yet to prove itself. */
  static async of(identity: DeviceIdentity, options: RotationOptions): Promise<CertificateRotation> {
    const rotation = new CertificateRotation(identity, options);
    if ((await identity.ownCertificates?.previous()) !== undefined) rotation.#mustProve();
    return rotation;
  }

  /** The fingerprint of the certificate in use. */
  get fingerprint(): string {
    return this.#identity.certificate.fingerprint;
  }

  /** Whom to connect as next: with the old certificate again where the new one did not connect in time. */
  async identity(): Promise<DeviceIdentity> {
    const { log } = this.#options;
    const own = this.#identity.ownCertificates;
    if (own === undefined || this.#proveUntilMs === undefined || this.#nowMs() < this.#proveUntilMs)
      return this.#identity;
    const before = await own.previous();
    if (before !== undefined) {
      await own.putBack();
      this.#identity = { ...this.#identity, certificate: pairOf(before) };
      log.warn('the new certificate did not connect: the old one is used again');
    }
    this.#proveUntilMs = undefined;
    this.#failedNonce = this.#nonce;
    return this.#identity;
  }

  /** Serves a connection: the certificate in use has proved itself, and may be replaced while the connection lasts. */
  serve(link: Link): void {
    const { log } = this.#options;
    const own = this.#identity.ownCertificates;
    if (own === undefined) return;
    this.#proveUntilMs = undefined;
    let isLooking = false;
    const look = async (): Promise<void> => {
      // One may wait for hours until nothing runs.
      if (isLooking) return;
      isLooking = true;
      try {
        await this.#look(link, own);
      } catch (error) {
        if (link.end === undefined)
          log.warn(
            `the certificate was not replaced: ${error instanceof Error ? error.message : String(error)}`,
          );
      } finally {
        isLooking = false;
      }
    };
    const timer = setInterval(() => void look(), lookEveryMs);
    void link.closed.then(() => clearInterval(timer));
    void own.forgetPrevious().then(look);
  }

  async #look(link: Link, own: OwnCertificates): Promise<void> {
    const window = await openWindow(link);
    if (window === undefined || window.nonce === this.#failedNonce || link.end !== undefined) return;
    const next = await announceNext(link, window.nonce, own);
    await this.#whenIdle(link);
    // It is announced again over the next connection.
    if (link.end !== undefined) return;
    await own.useNext(this.#identity.certificate);
    this.#nonce = window.nonce;
    const certificate = pairOf(next);
    this.#identity = { ...this.#identity, certificate };
    this.#mustProve();
    this.#options.log.info(
      `the certificate of this device is replaced: the new one is ${certificate.fingerprint}`,
    );
    link.close('the certificate is replaced');
  }

  #nowMs(): number {
    return this.#options.nowMs?.() ?? performance.now();
  }

  #mustProve(): void {
    this.#proveUntilMs = this.#nowMs() + proveWithinMs;
  }

  async #whenIdle(link: Link): Promise<void> {
    while (this.#options.isBusy() && link.end === undefined)
      await new Promise((resolve) => setTimeout(resolve, busyCheckMs).unref());
  }
}

/** The window that the hub has opened for this device, while it is open. */
async function openWindow({ executor, deviceId }: Link): Promise<{ readonly nonce: string } | undefined> {
  const found = await executor.invoke('devices_GetDeviceProperty', { deviceId, name: rotationProperty });
  if (found.result !== 'Found') return undefined;
  const { nonce } = found.value as { nonce?: unknown };
  // Whether it is still open the hub says: the clock of a device may be wrong.
  return typeof nonce === 'string' ? { nonce } : undefined;
}

/** Announces the next certificate; one of a window before, which the hub may refuse, gives way to another. */
async function announceNext(link: Link, nonce: string, own: OwnCertificates): Promise<CertificatePair> {
  const kept = await own.next();
  if (kept !== undefined) {
    try {
      await announce(link, nonce, kept);
      return kept;
    } catch (error) {
      if (!(error instanceof ActionError && error.kind === 'Invalid')) throw error;
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
