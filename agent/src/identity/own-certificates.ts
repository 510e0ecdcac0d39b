import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { fileProblem } from '@corral/client/node';
import { AgentError } from '../AgentError.ts';
import { readIfThere, replaceOwn } from './own-file.ts';

/** A certificate and its key, in PEM. */
export interface CertificatePair {
  readonly certificatePem: string;
  readonly keyPem: string;
}

type Stage = 'next' | 'previous';

/** Where the agent keeps the certificate that it made itself: the one in use, the next one, and the one before. */
export class OwnCertificates {
  readonly #folder: string;

  constructor(certificateFile: string) {
    this.#folder = dirname(certificateFile);
  }

  /** The certificate that was made to be the next one; undefined where none was, or only a part of it. */
  next(): Promise<CertificatePair | undefined> {
    return this.#read('next');
  }

  /** The one that was in use before, while the one in use has not proved itself. */
  previous(): Promise<CertificatePair | undefined> {
    return this.#read('previous');
  }

  /** Keeps a certificate to be the next one. */
  keepNext(pair: CertificatePair): Promise<void> {
    return this.#write('next', pair);
  }

  /** Puts the next certificate to use, and keeps the one before. */
  async useNext(before: CertificatePair): Promise<void> {
    await this.#write('previous', before);
    await this.#swap();
  }

  /** Puts the certificate before to use again. */
  async putBack(): Promise<void> {
    const before = await this.previous();
    if (before === undefined) return;
    await this.#write('next', before);
    await this.#swap();
    await this.forgetPrevious();
  }

  /** Removes the certificate before: the one in use has proved itself. */
  forgetPrevious(): Promise<void> {
    return this.#remove('previous');
  }

  /** Ends a swap that was interrupted between its two files: the key of the certificate in use is the next one then. */
  async finishSwap(): Promise<void> {
    const certificatePem = await readIfThere(this.#path('certificate'));
    const keyPem = await readIfThere(this.#path('key', 'next'));
    if (certificatePem === undefined || keyPem === undefined) return;
    if (belongTogether({ certificatePem, keyPem })) await this.#rename('key');
  }

  /** The certificate first: with it the next key is known to be its own. */
  async #swap(): Promise<void> {
    await this.#rename('certificate');
    await this.#rename('key');
  }

  async #rename(what: 'certificate' | 'key'): Promise<void> {
    const to = this.#path(what);
    try {
      await rename(this.#path(what, 'next'), to);
    } catch (cause) {
      // Another process, which reads the identity meanwhile, has finished the swap.
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw new AgentError(`The file ${to} cannot be replaced: ${fileProblem(cause, to)}.`, { cause });
    }
  }

  async #read(stage: Stage): Promise<CertificatePair | undefined> {
    const certificatePem = await readIfThere(this.#path('certificate', stage));
    const keyPem = await readIfThere(this.#path('key', stage));
    if (certificatePem === undefined || keyPem === undefined) return undefined;
    return belongTogether({ certificatePem, keyPem }) ? { certificatePem, keyPem } : undefined;
  }

  async #write(stage: Stage, { certificatePem, keyPem }: CertificatePair): Promise<void> {
    await replaceOwn(this.#path('key', stage), keyPem, 0o600);
    await replaceOwn(this.#path('certificate', stage), certificatePem, 0o644);
  }

  async #remove(stage: Stage): Promise<void> {
    await rm(this.#path('certificate', stage), { force: true });
    await rm(this.#path('key', stage), { force: true });
  }

  #path(what: 'certificate' | 'key', stage?: Stage): string {
    return join(this.#folder, `${what}${stage === undefined ? '' : `.${stage}`}.pem`);
  }
}

function belongTogether({ certificatePem, keyPem }: CertificatePair): boolean {
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}
