import type { ErrorReason } from '@corral/contract';
import type { DeviceLink } from '../link/device-link.ts';
import type { Log } from '../log.ts';
import { pairOf } from './certificate.ts';
import type { DeviceIdentity } from './identity.ts';
import { announceNext, issueNext, isRenewalDue, openWindow } from './next-certificate.ts';
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
/** Where an issued certificate did not connect, no other one is asked for so long. */
const askAgainMs = 3_600_000;
/** Why a hub refuses a certificate that it accepted before. */
const noLongerAccepted: readonly (string | undefined)[] = [
  'CertificateRevoked',
  'CertificateEnded',
] satisfies ErrorReason['kind'][];

/** Replaces the certificate of this device while its hub allows it: announces the new one over the old one, and puts the old one back where the new one does not connect. */
export class CertificateRotation {
  readonly #options: RotationOptions;
  #identity: DeviceIdentity;
  /** Until when the certificate in use has to connect; undefined where it did. */
  #proveUntilMs: number | undefined;
  /** The window for which the certificate was replaced: the hub closes it a while after it sees the new one, which may not have connected either. */
  #doneNonce: string | undefined;
  /** The window in which the next certificate was announced. */
  #nonce: string | undefined;
  /** Whether the hub of this connection knows certificates that it issues. */
  #isAsking = true;
  #askFromMs = -Infinity;
  /** The next certificate, which the hub accepts already, while it is not in use. */
  #accepted: CertificatePair | undefined;
  #isRefused = false;

  private constructor(identity: DeviceIdentity, options: RotationOptions) {
    this.#options = options;
    this.#identity = identity;
  }

  /** The certificate of a device; one that was put to use before a restart may have yet to prove itself. */
  static async of(identity: DeviceIdentity, options: RotationOptions): Promise<CertificateRotation> {
    const rotation = new CertificateRotation(identity, options);
    if ((await identity.ownCertificates?.previous()) !== undefined)
      rotation.#proveUntilMs = rotation.#nowMs() + proveWithinMs;
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
    if (own !== undefined && this.#isRefused && this.#accepted !== undefined) {
      await own.keepNext(this.#accepted);
      await this.#use(this.#accepted, own);
    }
    if (own === undefined || this.#proveUntilMs === undefined || this.#nowMs() < this.#proveUntilMs)
      return this.#identity;
    const before = await own.previous();
    if (before !== undefined) {
      await own.putBack();
      this.#identity = { ...this.#identity, certificate: pairOf(before) };
      log.warn('the new certificate did not connect: the old one is used again');
    }
    this.#proveUntilMs = undefined;
    this.#askFromMs = this.#nowMs() + askAgainMs;
    return this.#identity;
  }

  /** Notes why the hub refused the certificate in use: where that is no longer accepted and the next one is, the next one is used. */
  refused(failure: string | undefined): void {
    this.#isRefused = noLongerAccepted.includes(failure);
  }

  /** Serves a connection: the certificate in use has proved itself, and may be replaced while the connection lasts. */
  serve(link: Link): void {
    const { log } = this.#options;
    const own = this.#identity.ownCertificates;
    if (own === undefined) return;
    this.#proveUntilMs = undefined;
    this.#isRefused = false;
    this.#isAsking = true;
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
    const next = await this.#next(link, own);
    if (next === undefined) return;
    this.#accepted = next;
    await this.#whenIdle(link);
    // It is announced or issued again over the next connection.
    if (link.end !== undefined) return;
    await this.#use(next, own);
    link.close('the certificate is replaced');
  }

  /** The next certificate, once the hub accepts it; undefined where none is wanted. */
  async #next(link: Link, own: OwnCertificates): Promise<CertificatePair | undefined> {
    if (this.#isAsking && this.#nowMs() >= this.#askFromMs) {
      const isDue = await isRenewalDue(link);
      this.#isAsking = isDue !== undefined;
      if (isDue === true) return issueNext(link, own);
    }
    const window = await openWindow(link);
    if (window === undefined || window.nonce === this.#doneNonce || link.end !== undefined) return undefined;
    this.#nonce = window.nonce;
    return announceNext(link, window.nonce, own);
  }

  async #use(next: CertificatePair, own: OwnCertificates): Promise<void> {
    await own.useNext(this.#identity.certificate);
    this.#accepted = undefined;
    this.#doneNonce = this.#nonce;
    const certificate = pairOf(next);
    this.#identity = { ...this.#identity, certificate };
    this.#proveUntilMs = this.#nowMs() + proveWithinMs;
    this.#options.log.info(
      `the certificate of this device is replaced: the new one is ${certificate.fingerprint}`,
    );
  }

  #nowMs(): number {
    return this.#options.nowMs?.() ?? performance.now();
  }

  async #whenIdle(link: Link): Promise<void> {
    while (this.#options.isBusy() && link.end === undefined)
      await new Promise((resolve) => setTimeout(resolve, busyCheckMs).unref());
  }
}
