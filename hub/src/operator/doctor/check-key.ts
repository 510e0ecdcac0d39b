import { stat } from 'node:fs/promises';
import { missingKeyMessage, openExistingVault, secretKeyFile } from '../../platform/vault/open-vault.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Config } from '../../config/config.ts';
import type { connectDatabase } from '../../platform/db/connect.ts';
import { vaultKeysInUse } from '../../domains/instance/index.ts';
import { checkOf, messageOf, type Finding } from './finding.ts';

const { right, wrong, unchecked } = checkOf('Secret key');

/** The findings, and the vault if it can decrypt everything that the database has. */
export interface CheckedKey {
  readonly vault: Vault | undefined;
  readonly findings: readonly Finding[];
}

/** Whether the key exists, can be read by the hub only, and is the one that the secrets in the database are encrypted with. */
export async function checkKey(
  config: Config,
  db: ReturnType<typeof connectDatabase> | undefined,
): Promise<CheckedKey> {
  const file = secretKeyFile(config.dataDir);
  const where = config.secretKeys.length > 0 ? 'CORRAL_SECRET_KEY' : file;
  try {
    const vault = await openExistingVault(config);
    const needed = db === undefined ? undefined : [...new Set(await vaultKeysInUse(db))];
    if (vault === undefined) return { vault, findings: [absentKey(file, needed)] };
    const missing = needed?.filter((id) => !vault.has(id)) ?? [];
    if (missing.length > 0) return { vault: undefined, findings: [wrong(missingKeyMessage(missing))] };
    return { vault, findings: [await presentKey(where, file, needed)] };
  } catch (error) {
    return { vault: undefined, findings: [wrong(`${messageOf(error)} Run this as the user of the hub.`)] };
  }
}

function absentKey(file: string, needed: readonly string[] | undefined): Finding {
  if (needed === undefined)
    return unchecked(`${file} does not exist; if the hub has started before, restore it.`);
  if (needed.length > 0) return wrong(missingKeyMessage(needed));
  return right(`${file} does not exist yet, and nothing needs it; the hub makes it when it starts.`);
}

async function presentKey(
  where: string,
  file: string,
  needed: readonly string[] | undefined,
): Promise<Finding> {
  if (where === file && ((await stat(file)).mode & 0o077) !== 0)
    return wrong(`Other users can read ${file}: chmod 400 it.`);
  if (needed === undefined)
    return unchecked(`${where} has a key; whether it is that of the database was not checked.`);
  return right(`${where} has the key that the database was written with. Keep a copy elsewhere.`);
}
