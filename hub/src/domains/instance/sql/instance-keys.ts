import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** The parts of a handler's context that are needed to access the keys of the instance. */
export interface KeyContext {
  readonly tx: Database;
  readonly now: Date;
  readonly vault: Vault;
}

interface KeptKey {
  readonly key: Buffer;
  readonly sealed_under: string | null;
}

/** The 256-bit key that the instance keeps for a purpose; made on first use. */
export async function instanceKey(keeper: KeyContext, purpose: string): Promise<Buffer> {
  const kept = await readKey(keeper.tx, purpose);
  if (kept !== undefined) return renewed(keeper, purpose, kept);
  const { keyId, bytes } = keeper.vault.seal(randomBytes(32), placeOf(purpose));
  await keeper.tx
    .insertInto('instance_keys')
    .values({ purpose, key: bytes, sealed_under: keyId, created_at: keeper.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await existingInstanceKey(keeper, purpose);
  if (made === undefined) throw new Error(`The key for ${purpose} vanished.`);
  return made;
}

/** The key for a purpose, if it exists; if not, nothing was ever signed or encrypted with it. */
export async function existingInstanceKey(
  { tx, vault }: Omit<KeyContext, 'now'>,
  purpose: string,
): Promise<Buffer | undefined> {
  const kept = await readKey(tx, purpose);
  return kept === undefined ? undefined : opened(vault, purpose, kept);
}

/** The ids of the keys that the vault lacks, without which something in the database cannot be opened. */
export async function missingVaultKeys(tx: Database, vault: Vault): Promise<string[]> {
  return (await vaultKeysInUse(tx)).filter((id) => !vault.has(id));
}

/** The ids of the keys under which something in the database is sealed, which may be of an older release. Enrolments that wait are begun again where their key is lost. */
export async function vaultKeysInUse(tx: Database): Promise<string[]> {
  const { rows: places } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and column_name in ('sealed_under', 'former_sealed_under') and table_name <> 'totp_enrolments'`.execute(
    tx,
  );
  const found: string[] = [];
  for (const { table, column } of places) {
    const { rows } = await sql<{ id: string }>`
      select distinct ${sql.ref(column)} as id from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      tx,
    );
    found.push(...rows.map(({ id }) => id));
  }
  return [...new Set(found)];
}

/** Seals all keys again that are stored unencrypted or under an older key. */
export async function reencryptInstanceKeys(keeper: KeyContext): Promise<void> {
  const older = await keeper.tx
    .selectFrom('instance_keys')
    .select(['purpose', 'key', 'sealed_under'])
    .where('sealed_under', 'is distinct from', keeper.vault.keyId)
    .execute();
  for (const kept of older) await renewed(keeper, kept.purpose, kept);
}

/** Seals a key again that is stored unencrypted or under an older key. */
async function renewed({ tx, vault }: KeyContext, purpose: string, kept: KeptKey): Promise<Buffer> {
  const key = opened(vault, purpose, kept);
  if (kept.sealed_under === vault.keyId) return key;
  const { keyId, bytes } = vault.seal(key, placeOf(purpose));
  await tx
    .updateTable('instance_keys')
    .set({ key: bytes, sealed_under: keyId })
    .where('purpose', '=', purpose)
    .where('sealed_under', 'is not distinct from', kept.sealed_under)
    .execute();
  return key;
}

/** The last opened key of each purpose: some are needed with every request, and the same bytes open to the same key. */
const lastOpened = new WeakMap<Vault, Map<string, { readonly sealed: Buffer; readonly key: Buffer }>>();

function opened(vault: Vault, purpose: string, { key: bytes, sealed_under: keyId }: KeptKey): Buffer {
  if (keyId === null) return bytes;
  const ofVault = lastOpened.get(vault) ?? new Map();
  lastOpened.set(vault, ofVault);
  const last = ofVault.get(purpose);
  if (last !== undefined && last.sealed.equals(bytes)) return last.key;
  const key = vault.open({ keyId, bytes }, placeOf(purpose));
  ofVault.set(purpose, { sealed: bytes, key });
  return key;
}

function readKey(db: Database, purpose: string): Promise<KeptKey | undefined> {
  return db
    .selectFrom('instance_keys')
    .select(['key', 'sealed_under'])
    .where('purpose', '=', purpose)
    .executeTakeFirst();
}

function placeOf(purpose: string): string {
  return `instance_keys/${purpose}`;
}
