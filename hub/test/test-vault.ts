import { randomBytes } from 'node:crypto';
import { createVault } from '../src/auth/vault.ts';

/** The vault of all executors of a test file. */
export const testVault = createVault([randomBytes(32)]);
