import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolderSentence, makeDataFolder } from '../files/data-folder.ts';
import { createVault, vaultKeyBytes, type Vault } from './vault.ts';

/** Where the hub has its keys. */
export interface VaultKeys {
  /** In base64; the first one encrypts, all of them decrypt. If empty, the key is a file in the data folder. */
  readonly secretKeys: readonly string[];
  readonly dataDir: string;
}

/**
 * Opens the vault with the configured keys, or with the key in the file `secret.key` of the data folder. If the file does not exist, creates it,
 * readable by the hub's user only, unless `keyIdsInUse` names keys that the database needs: a new one would only hide that the old one is
 * missing. Rejects with an Error with one sentence for the operator.
 */
export async function openVault(
  { secretKeys, dataDir }: VaultKeys,
  keyIdsInUse: () => Promise<readonly string[]>,
): Promise<Vault> {
  const existing = await openExistingVault({ secretKeys, dataDir });
  const file = secretKeyFile(dataDir);
  if (existing === undefined) return createVault([await firstKey(dataDir, file, await keyIdsInUse())]);
  if (secretKeys.length === 0 && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o400);
  return existing;
}

/** The vault with the keys that are there; undefined where no key is configured and the file does not exist. Changes nothing. Rejects as `openVault`. */
export async function openExistingVault(keys: VaultKeys): Promise<Vault | undefined> {
  return vaultOf(await existingKeys(keys));
}

/** The keys of a hub, in base64: those of its setting, or the one in the file; none if it has no key yet. Changes nothing. */
export async function existingKeys({ secretKeys, dataDir }: VaultKeys): Promise<readonly string[]> {
  if (secretKeys.length > 0) return secretKeys;
  const key = await readKey(secretKeyFile(dataDir));
  return key === undefined ? [] : [key.toString('base64')];
}

/** Stores a key, in base64, as that of the hub. Rejects if there is one. */
export async function placeKey(dataDir: string, key: string): Promise<void> {
  await writeFile(secretKeyFile(dataDir), `${key}\n`, { mode: 0o400, flag: 'wx', flush: true });
}

/** The vault of keys in base64; undefined for none. */
export function vaultOf([first, ...others]: readonly string[]): Vault | undefined {
  return first === undefined ? undefined : createVault([keyOf(first), ...others.map(keyOf)]);
}

/** The file with the key of a data folder. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret.key');

/** The key that another hub on the same folder has just created, or else a new one. */
async function firstKey(dataDir: string, file: string, inUse: readonly string[]): Promise<Buffer> {
  const created = await readKey(file);
  if (created !== undefined) return created;
  if (inUse.length > 0)
    throw new Error(
      `CORRAL_SECRET_KEY: the file ${file} is missing, and the database holds secrets that were sealed under its key (${inUse.join(', ')}); restore the file from a backup, or give the key in this setting.`,
    );
  return createKey(dataDir, file).catch((error: unknown) => {
    const sentence = dataFolderSentence(error, dataDir);
    throw sentence === undefined ? error : new Error(sentence, { cause: error });
  });
}

/** The sentence for the operator when secrets in the database are sealed under keys that this hub does not have. */
export function missingKeySentence(keyIds: readonly string[]): string {
  return `CORRAL_SECRET_KEY: the database holds secrets that were sealed under another key (${keyIds.join(', ')}); give this hub the key that its data was kept with, which is the file secret.key of the data folder unless it was set.`;
}

const keyOf = (text: string): Buffer => Buffer.from(text, 'base64');

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`The secret key in ${file} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === undefined) return undefined;
  const key = keyOf(text.trim());
  if (key.length !== vaultKeyBytes)
    throw new Error(`The file ${file} must hold ${vaultKeyBytes} bytes in base64; restore it from a backup.`);
  return key;
}

/** link() fails if the file exists, so two hubs that start at once on one folder use the same key. */
async function createKey(dataDir: string, file: string): Promise<Buffer> {
  await makeDataFolder(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const key = randomBytes(vaultKeyBytes);
  await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o400, flush: true });
  try {
    await link(draft, file);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readKey(file)) ?? key;
  } finally {
    await rm(draft, { force: true });
  }
}
