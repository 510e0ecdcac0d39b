import { randomBytes } from 'node:crypto';
import { datedRaw, randomSymbols } from '@corral/contract';

/** The raw part of a new flat id: 22 random symbols. */
export function newRawId(): string {
  return randomSymbols(22, randomBytes);
}

/** The raw part of a new dated id for a moment. */
export function newDatedRawId(at: Date): string {
  return datedRaw(at.getTime(), randomBytes);
}

/** The raw part of a new secret: 66 random symbols, the first 22 of which are its public id. */
export function newRawSecret(): string {
  return randomSymbols(66, randomBytes);
}
