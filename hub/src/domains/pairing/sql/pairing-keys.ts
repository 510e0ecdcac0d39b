import { sql } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** SQL for the keys that may be redeemed. */
const isOpen = (now: Date) => sql<boolean>`
  used_at is null and revoked_at is null and expires_at > ${now} and tries < ${amounts.triesOfPairingKey.max}`;

interface NewKey {
  readonly projectId: string;
  readonly selector: string;
  readonly digest: Buffer;
  readonly name: string | null;
  readonly expiresAt: Date;
  readonly now: Date;
}

/** Makes room for another key of a project: deletes the oldest that have ended; false where too many are open. */
export async function hasRoomForKey(tx: Database, projectId: string, now: Date): Promise<boolean> {
  // Of two calls at the same time the later one counts what the earlier one added.
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  await sql`
    delete from pairing_keys where pairing_key_id in (
      select pairing_key_id from pairing_keys where project_id = ${projectId} and not (${isOpen(now)})
      order by created_at desc, pairing_key_id desc offset ${amounts.endedPairingKeys.max})`.execute(tx);
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from pairing_keys where project_id = ${projectId} and ${isOpen(now)}`.execute(tx);
  return (rows[0]?.open ?? 0) < amounts.openPairingKeys.max;
}

/** Adds a key and resolves with its raw id; undefined if its selector is taken. */
export async function addKey(tx: Database, key: NewKey): Promise<string | undefined> {
  const keyId = newRawId();
  const { rows } = await sql`
    insert into pairing_keys (pairing_key_id, project_id, selector, digest, name, created_at, expires_at)
    values (${keyId}, ${key.projectId}, ${key.selector}, ${key.digest}, ${key.name}, ${key.now}, ${key.expiresAt})
    on conflict (selector) do nothing returning 1`.execute(tx);
  return rows.length > 0 ? keyId : undefined;
}

/** Counts a try of an open key, before its secret is compared: tries at the same time have no advantage. Undefined where no open key has the selector. */
export async function tryKey(
  db: Database,
  selector: string,
  now: Date,
): Promise<{ readonly keyId: string; readonly digest: Buffer } | undefined> {
  const { rows } = await sql<{ keyId: string; digest: Buffer }>`
    update pairing_keys set tries = tries + 1 where selector = ${selector} and ${isOpen(now)}
    returning pairing_key_id as "keyId", digest`.execute(db);
  return rows[0];
}

/** A key that was taken, with the raw id of its project. */
export interface TakenKey {
  readonly projectId: string;
  readonly selector: string;
  readonly name: string | null;
}

/** Takes a proved key for a token, by raw ids; undefined if another was faster, or it has ended meanwhile. The project stays until the transaction ends. */
export async function takeKey(
  tx: Database,
  keyId: string,
  tokenId: string,
  now: Date,
): Promise<TakenKey | undefined> {
  const { rows } = await sql<TakenKey>`
    with project as (
      select p.project_id from projects p join pairing_keys k using (project_id)
      where k.pairing_key_id = ${keyId} for key share of p
    )
    update pairing_keys k set used_at = ${now}, token_id = ${tokenId} from project
    where k.project_id = project.project_id and k.pairing_key_id = ${keyId}
      and k.used_at is null and k.revoked_at is null and k.expires_at > ${now}
    returning k.project_id as "projectId", k.selector, k.name`.execute(tx);
  return rows[0];
}

/** A deployment token that a key was taken for. */
export interface KeyToken {
  readonly tokenId: string;
  readonly secretHash: Buffer;
  readonly projectId: string;
  readonly name: string;
  /** Null: the first device that uses it. */
  readonly deviceId: string | null;
  readonly acceptsUntil: Date;
  readonly now: Date;
}

/** Adds a token for one device; resolves with the raw ids of older tokens of that device beyond what it may have, which are deleted. */
export async function addBoundToken(tx: Database, token: KeyToken): Promise<readonly string[]> {
  const { tokenId, secretHash, projectId, name, deviceId, acceptsUntil, now } = token;
  await sql`
    insert into deployment_tokens
      (token_id, secret_hash, project_id, name, auto_accept, created_at, max_uses, uses, is_for_one, device_id, accepts_until)
    values (${tokenId}, ${secretHash}, ${projectId}, ${name}, false, ${now}, 1, ${deviceId === null ? 0 : 1}, true, ${deviceId},
      ${acceptsUntil})`.execute(tx);
  if (deviceId === null) return [];
  const { rows } = await sql<{ tokenId: string }>`
    delete from deployment_tokens where token_id in (
      select token_id from deployment_tokens where device_id = ${deviceId} and token_id <> ${tokenId}
      order by created_at desc, token_id offset ${amounts.tokensOfDevice.max - 1})
    returning token_id as "tokenId"`.execute(tx);
  return rows.map((row) => row.tokenId);
}

/** Ends an open key, by its raw id, and resolves with its selector; undefined if it is not open. */
export async function revokeKey(tx: Database, keyId: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ selector: string }>`
    update pairing_keys set revoked_at = ${now} where pairing_key_id = ${keyId} and ${isOpen(now)} returning selector`.execute(
    tx,
  );
  return rows[0]?.selector;
}
