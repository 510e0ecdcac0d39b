import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { placesOf } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';

/** 19 MiB, two passes, one lane; Argon2id is the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** How many passwords are checked at a time. */
export const passwordThreads = Math.min(availableParallelism(), limits.passwordChecks.inAll);
const hashing = placesOf({ ...limits.passwordChecks, inAll: passwordThreads });

/** New passwords are hashed one at a time, so that any number of them leaves threads for sign-ins. */
const newPasswords = placesOf(limits.newPasswords);
const all = { caller: 'all' };

/** A hash that costs as much to verify as any other, and that no password matches. */
const decoyHash = phcString(randomBytes(16), randomBytes(parameters.outputLen));

function phcString(salt: Buffer, digest: Buffer): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(salt)}$${base64(digest)}`;
}

/** Hashes a new password for storage, in Unicode's composed form (NFC), as a PHC string. Throws an `ActionError` of kind Throttled when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return newPasswords.run(all, () => rehashPassword(password));
}

/** Hashes a password that was just verified, with the current parameters; like `hashPassword`, but not behind new passwords. */
export function rehashPassword(password: string): Promise<string> {
  return hashing.run(all, () => hash(password.normalize(), parameters));
}

/** How a password matches a stored hash; one that is outdated is to be hashed anew. */
export type PasswordMatch = 'None' | 'Outdated' | 'Current';

/**
 * Whether a password matches a stored hash; without one it takes as long and resolves with None. A hash of another form of Unicode is
 * outdated. Throws an `ActionError` of kind Throttled when too many wait.
 */
export async function matchPassword(
  password: string,
  storedHash: string | undefined,
): Promise<PasswordMatch> {
  const composed = password.normalize();
  for (const spelling of new Set([composed, password, password.normalize('NFD')])) {
    const isMatch = await hashing.run(all, () => verify(storedHash ?? decoyHash, spelling));
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
