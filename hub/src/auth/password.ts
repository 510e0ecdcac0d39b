import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ActionError } from '@corral/contract';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createGate } from '../gate.ts';

/** 19 MiB, two passes, one lane; Argon2id is the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

// Hashing runs on libuv's four threads: one stays free for files and name lookups.
const gate = createGate(
  Math.min(availableParallelism(), 3),
  64,
  () =>
    new ActionError('Throttled', 'The hub is busy checking passwords. Try again in a moment.', {
      retryAfterSecs: 2,
    }),
);

/** Looks like every other hash and costs as much to check, but no password leads to it. */
const decoyHash = phcString(randomBytes(16), randomBytes(parameters.outputLen));

function phcString(salt: Buffer, digest: Buffer): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(salt)}$${base64(digest)}`;
}

/** Hashes a password for keeping, as a PHC string; throws an `ActionError` of kind Throttled when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return gate.run(() => hash(password, parameters));
}

/**
 * Tells whether a password leads to a stored hash. Without a hash (an unknown user, or one without a password)
 * the same work is done and the answer is no. Throws an `ActionError` of kind Throttled when too many wait.
 */
export async function isPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const isRight = await gate.run(() => verify(storedHash ?? decoyHash, password));
  return isRight && storedHash !== undefined;
}

/** Tells whether a hash was made with other parameters than a new one would be. */
export function isOutdatedHash(storedHash: string): boolean {
  const used = parseOptions(storedHash);
  return Object.entries(parameters).some(([name, value]) => used[name as keyof typeof parameters] !== value);
}
