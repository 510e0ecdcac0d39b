import { randomBytes } from 'node:crypto';
import { createVault } from '../src/platform/vault/vault.ts';

const given = process.env['TEST_VAULT_KEY'];

/** The key of the vault; a program that a test starts is given it as TEST_VAULT_KEY, in hexadecimal. */
export const testVaultKey = given === undefined ? randomBytes(32) : Buffer.from(given, 'hex');

/** The vault of all executors of a test file. */
export const testVault = createVault([testVaultKey]);
