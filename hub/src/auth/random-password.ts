import { randomBytes } from 'node:crypto';
import { randomSymbols } from '@corral/contract';

/** A random password that is easy to copy by hand: three groups of six symbols, 105 bits. */
export function newRandomPassword(): string {
  return randomSymbols(18, randomBytes).replace(/(.{6})(?=.)/g, '$1-');
}
