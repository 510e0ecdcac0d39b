import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ActionError } from '@corral/contract';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createSemaphore } from '../concurrency/semaphore.ts';

function tooManyWaiting(): ActionError {
  return new ActionError('Throttled', 'The hub is busy checking passwords. Try again in a moment.', {
    retryAfterSecs: 2,
  });
}

/** 19 MiB, two passes, one lane; Argon2id is the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** How many passwords are checked at a time. That runs on the four threads of libuv; one stays free for file access and DNS. */
export const passwordChecksAtOnce = Math.min(availableParallelism(), 3);

const hashing = createSemaphore({
  concurrency: passwordChecksAtOnce,
  maxWaiting: 64,
  full: tooManyWaiting,
});

/** New passwords are hashed one at a time, so that any number of them leaves threads for sign-ins. */
const newPasswords = createSemaphore({ concurrency: 1, maxWaiting: 32, full: tooManyWaiting });

/** A hash that costs as much to verify as any other, and that no password matches. */
const decoyHash = phcString(randomBytes(16), randomBytes(parameters.outputLen));

function phcString(salt: Buffer, digest: Buffer): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(salt)}$${base64(digest)}`;
}

/** Hashes a new password for storage, in Unicode's composed form (NFC), as a PHC string. Throws an `ActionError` of kind Throttled when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return newPasswords.run(() => rehashPassword(password));
}

/** Hashes a password that was just verified, with the current parameters; like `hashPassword`, but not behind new passwords. */
export function rehashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password.normalize(), parameters));
}

/** How a password matches a stored hash; one that is outdated is to be hashed anew. */
export type PasswordMatch = 'None' | 'Outdated' | 'Current';

/**
 * Whether a password matches a stored hash. Without a hash (an unknown user, or one without a password) it takes as long and
 * resolves with None. Earlier releases hashed what was typed, in whichever form of Unicode, so a hash of it or of the decomposed form is outdated. Throws an `ActionError` of kind
 * Throttled when too many wait.
 */
export async function matchPassword(
  password: string,
  storedHash: string | undefined,
): Promise<PasswordMatch> {
  const composed = password.normalize();
  for (const spelling of new Set([composed, password, password.normalize('NFD')])) {
    const isMatch = await hashing.run(() => verify(storedHash ?? decoyHash, spelling));
    if (isMatch && storedHash !== undefined)
      return spelling === composed && !isOutdatedHash(storedHash) ? 'Current' : 'Outdated';
  }
  return 'None';
}

/** Whether a password matches a stored hash; see `matchPassword`. */
export async function isPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  return (await matchPassword(password, storedHash)) !== 'None';
}

/** Whether a hash was made with other parameters than a new hash would be. */
export function isOutdatedHash(storedHash: string): boolean {
  const used = parseOptions(storedHash);
  return Object.entries(parameters).some(([name, value]) => used[name as keyof typeof parameters] !== value);
}
