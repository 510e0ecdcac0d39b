import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  existingKeys,
  missingKeyMessage,
  storeKey,
  vaultWithKeys,
  type VaultKeys,
} from '../platform/vault/open-vault.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { Manifest } from './backup/manifest.ts';

/** The key, in base64, that decrypts all secrets of a backup. Throws an Error with a sentence if they are encrypted with several keys. */
export async function keyForBackup(keys: VaultKeys, keyIds: readonly string[]): Promise<string> {
  const found = (await existingKeys(keys)).find((key) =>
    keyIds.every((id) => vaultWithKeys([key])?.has(id) === true),
  );
  if (found === undefined)
    throw new Error(
      `The key of the secrets cannot be saved: no key of this hub opens all of them (${keyIds.join(', ')}). Start the hub once with its keys, then back up again.`,
    );
  return found;
}

/** Throws an Error with a sentence unless the hub, or the backup itself, has the key of the secrets in the backup. */
export async function mustHaveKey(keys: VaultKeys, { secretKey }: Manifest): Promise<void> {
  const vault = vaultWithKeys(await existingKeys(keys));
  if (vault === undefined && secretKey.file === undefined && secretKey.ids.length > 0)
    throw new Error(
      `CORRAL_SECRET_KEY: the key of the secrets (${secretKey.ids.join(', ')}) is not in the backup: give it in this setting, or copy the file secret.key of the hub that was backed up to ${join(keys.dataDir, 'secret.key')}.`,
    );
  const missing = vault === undefined ? [] : secretKey.ids.filter((id) => !vault.has(id));
  if (missing.length > 0) throw new Error(missingKeyMessage(missing));
}

/** The vault with the keys of the hub, or with the key in the backup if the hub has none. */
export async function vaultForRestore(
  keys: VaultKeys,
  folder: string,
  { secretKey: { file } }: Manifest,
): Promise<Vault | undefined> {
  const existing = await existingKeys(keys);
  if (existing.length > 0 || file === undefined) return vaultWithKeys(existing);
  return vaultWithKeys([await readKeyFile(folder, file.path)]);
}

/** Writes the key in the backup to the data folder, unless the hub has a key. */
export async function restoreKey(
  keys: VaultKeys,
  folder: string,
  { secretKey: { file } }: Manifest,
): Promise<void> {
  if (file === undefined || (await existingKeys(keys)).length > 0) return;
  await storeKey(keys.dataDir, await readKeyFile(folder, file.path));
}

async function readKeyFile(folder: string, path: string): Promise<string> {
  return (await readFile(join(folder, path), 'utf8')).trim();
}
