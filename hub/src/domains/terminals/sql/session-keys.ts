import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { vaultKeyBytes, type Vault } from '../../../platform/vault/vault.ts';

interface SealedKey {
  readonly session_id: string;
  readonly sealed: Buffer | null;
  readonly sealed_under: string | null;
}

const placeOf = (sessionId: string): string => `terminal_sessions/${sessionId}`;

/** Makes the key of the recording of a terminal that begins now, on a node by its raw id. */
export async function startWithKey(
  { tx, vault, now }: { readonly tx: Database; readonly vault: Vault; readonly now: Date },
  sessionId: string,
  nodeId: string | undefined,
): Promise<Buffer> {
  const key = randomBytes(vaultKeyBytes);
  const { keyId, bytes } = vault.seal(key, placeOf(sessionId));
  await sql`
    update terminal_sessions set started_at = ${now}, node_id = ${nodeId ?? null}, sealed = ${bytes}, sealed_under = ${keyId}
    where session_id = ${sessionId}`.execute(tx);
  return key;
}

/** The key of a recording; undefined where none was made. */
export function keyOf(vault: Vault, { session_id, sealed, sealed_under }: SealedKey): Buffer | undefined {
  if (sealed === null || sealed_under === null) return undefined;
  return vault.open({ keyId: sealed_under, bytes: sealed }, placeOf(session_id));
}

/** Seals the keys of recordings again that are sealed under an older key of the hub. */
export async function reencryptRecordingKeys(db: Database, vault: Vault): Promise<void> {
  const { rows } = await sql<SealedKey>`
    select session_id, sealed, sealed_under from terminal_sessions where sealed_under <> ${vault.keyId}`.execute(
    db,
  );
  for (const row of rows) {
    if (row.sealed_under === null || !vault.has(row.sealed_under)) continue;
    const key = keyOf(vault, row);
    if (key === undefined) continue;
    const { keyId, bytes } = vault.seal(key, placeOf(row.session_id));
    await sql`
      update terminal_sessions set sealed = ${bytes}, sealed_under = ${keyId}
      where session_id = ${row.session_id} and sealed = ${row.sealed}`.execute(db);
  }
}
