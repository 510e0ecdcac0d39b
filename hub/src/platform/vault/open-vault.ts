import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolderMessage, makeDataFolder } from '../files/data-folder.ts';
import { createVault, vaultKeyBytes, type Vault } from './vault.ts';

/** The sources of the hub's keys. */
export interface VaultKeys {
  /** In base64; the first one encrypts, all of them decrypt. If empty, the key is a file in the data folder. */
  readonly secretKeys: readonly string[];
  readonly dataDir: string;
}

/**
 * Opens the vault with the configured keys, or with the key in the file `secret.key` of the data folder. Creates a missing file, readable by the hub's user
 * only, unless `keyIdsInUse` names keys that the database needs. Rejects with an Error with one sentence for the operator.
 */
export async function openVault(
  { secretKeys, dataDir }: VaultKeys,
  keyIdsInUse: () => Promise<readonly string[]>,
): Promise<Vault> {
  const existing = await openExistingVault({ secretKeys, dataDir });
  const file = secretKeyFile(dataDir);
  if (existing === undefined) return createVault([await readOrCreateKey(dataDir, file, await keyIdsInUse())]);
  if (secretKeys.length === 0 && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o400);
  return existing;
}

/** Opens the vault without creating a key; undefined when no key is configured and the file does not exist. Rejects as `openVault`. */
export async function openExistingVault(keys: VaultKeys): Promise<Vault | undefined> {
  return vaultWithKeys(await existingKeys(keys));
}

/** The hub's configured keys, or the one in the file, in base64; empty if it has none yet. */
export async function existingKeys({ secretKeys, dataDir }: VaultKeys): Promise<readonly string[]> {
  if (secretKeys.length > 0) return secretKeys;
  const key = await readKey(secretKeyFile(dataDir));
  return key === undefined ? [] : [key.toString('base64')];
}

/** Writes a key, in base64, to the file of the hub. Rejects if the file exists. */
export async function storeKey(dataDir: string, key: string): Promise<void> {
  await writeFile(secretKeyFile(dataDir), `${key}\n`, { mode: 0o400, flag: 'wx', flush: true });
}

/** The vault with these keys, in base64; undefined without keys. */
export function vaultWithKeys([first, ...others]: readonly string[]): Vault | undefined {
  return first === undefined ? undefined : createVault([decodeKey(first), ...others.map(decodeKey)]);
}

/** The path of the key file in a data folder. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret.key');

/** Reads the key if another hub on the same folder has just created it; creates one otherwise. */
async function readOrCreateKey(dataDir: string, file: string, inUse: readonly string[]): Promise<Buffer> {
  const created = await readKey(file);
  if (created !== undefined) return created;
  if (inUse.length > 0)
    throw new Error(
      `CORRAL_SECRET_KEY: the file ${file} is missing, and the database holds secrets that were sealed under its key (${inUse.join(', ')}); restore the file from a backup, or give the key in this setting.`,
    );
  return createKey(dataDir, file).catch((error: unknown) => {
    const sentence = dataFolderMessage(error, dataDir);
    throw sentence === undefined ? error : new Error(sentence, { cause: error });
  });
}

/** The sentence for the operator when secrets in the database are sealed under keys that this hub does not have. */
export function missingKeyMessage(keyIds: readonly string[]): string {
  return `CORRAL_SECRET_KEY: the database holds secrets that were sealed under another key (${keyIds.join(', ')}); give this hub the key that its data was kept with, which is the file secret.key of the data folder unless it was set.`;
}

const decodeKey = (text: string): Buffer => Buffer.from(text, 'base64');

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`The secret key in ${file} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === undefined) return undefined;
  const key = decodeKey(text.trim());
  if (key.length !== vaultKeyBytes)
    throw new Error(`The file ${file} must hold ${vaultKeyBytes} bytes in base64; restore it from a backup.`);
  return key;
}

/** Creates the file by link(), which fails if it exists, so that two hubs that start at once on one folder use the same key. */
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
