import { randomBytes } from 'node:crypto';
import { createVault } from '../src/platform/vault/vault.ts';

/** The vault of all executors of a test file. */
export const testVault = createVault([randomBytes(32)]);
