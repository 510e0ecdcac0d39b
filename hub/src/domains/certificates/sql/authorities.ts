import { ActionError, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Vault } from '../../../platform/vault/vault.ts';

interface SealedKey {
  readonly authority_id: string;
  readonly sealed: Buffer | null;
  readonly sealed_under: string | null;
}

const placeOf = (authorityId: string): string => `certificate_authorities/${authorityId}`;

/** The key of an authority, in PEM; undefined where it has none here. */
export function keyOf(vault: Vault, { authority_id, sealed, sealed_under }: SealedKey): string | undefined {
  if (sealed === null || sealed_under === null) return undefined;
  return vault.open({ keyId: sealed_under, bytes: sealed }, placeOf(authority_id)).toString();
}

/** Seals the keys of authorities again that are sealed under an older key of the hub. */
export async function reencryptAuthorityKeys(db: Database, vault: Vault): Promise<void> {
  const { rows } = await sql<SealedKey>`
    select authority_id, sealed, sealed_under from certificate_authorities where sealed_under <> ${vault.keyId}`.execute(
    db,
  );
  for (const row of rows) {
    if (row.sealed_under === null || !vault.has(row.sealed_under)) continue;
    const key = keyOf(vault, row);
    if (key === undefined) continue;
    const { keyId, bytes } = vault.seal(Buffer.from(key), placeOf(row.authority_id));
    await sql`
      update certificate_authorities set sealed = ${bytes}, sealed_under = ${keyId}
      where authority_id = ${row.authority_id} and sealed = ${row.sealed}`.execute(db);
  }
}

/** An authority that is added. */
export interface NewAuthority {
  readonly projectId: string;
  readonly authorityId: string;
  readonly name: string;
  readonly certificatePem: string;
  readonly keyPem: string | undefined;
  readonly fingerprint: string;
  readonly endsAt: Date;
  readonly actor: Actor;
  readonly now: Date;
}

/** A new raw id of an authority. */
export const newAuthorityId = newRawId;

/** Adds an authority to a locked project. Throws an `ActionError` of kind Invalid where it has that one already, or too many. */
export async function addAuthority(tx: Database, vault: Vault, added: NewAuthority): Promise<void> {
  const { authorityId, keyPem, projectId } = added;
  const key = keyPem === undefined ? undefined : vault.seal(Buffer.from(keyPem), placeOf(authorityId));
  const { max } = amounts.certificateAuthorities;
  const { rows: present } = await sql<{ fingerprint: string }>`
    select fingerprint from certificate_authorities where project_id = ${projectId}`.execute(tx);
  if (present.some(({ fingerprint }) => fingerprint === added.fingerprint))
    throw new ActionError('Invalid', 'The project has this authority already.');
  if (present.length >= max)
    throw new ActionError(
      'Invalid',
      `A project may have at most ${max} certificate authorities. Delete one first.`,
    );
  await sql`
    insert into certificate_authorities (authority_id, project_id, name, certificate_pem, fingerprint, sealed, sealed_under, created_by, created_at, ends_at)
    values (${authorityId}, ${projectId}, ${added.name}, ${added.certificatePem}, ${added.fingerprint}, ${key?.bytes ?? null}, ${key?.keyId ?? null},
      ${JSON.stringify(added.actor)}::jsonb, ${added.now}, ${added.endsAt})`.execute(tx);
}

/** An authority that a project trusts. */
export interface TrustedAuthority {
  readonly authorityId: string;
  readonly certificatePem: string;
  readonly hasKey: boolean;
}

/** The authorities of a project that have not ended. */
export async function trustedAuthorities(
  tx: Database,
  projectId: string,
  now: Date,
): Promise<TrustedAuthority[]> {
  const { rows } = await sql<TrustedAuthority>`
    select authority_id as "authorityId", certificate_pem as "certificatePem", sealed is not null as "hasKey"
    from certificate_authorities where project_id = ${projectId} and ends_at > ${now}`.execute(tx);
  return rows;
}

/** What a project demands. */
export interface Demand {
  readonly isDemanded: boolean;
  readonly validForDays: number;
}

/** Locks a project against changes of its authorities, and against foreign certificates that become active meanwhile; undefined if it is gone. */
export async function lockDemand(tx: Database, projectId: string): Promise<Demand | undefined> {
  const { rows } = await sql<Demand>`
    select demands_certificates as "isDemanded", certificate_days as "validForDays"
    from projects where project_id = ${projectId} for no key update`.execute(tx);
  return rows[0];
}

/** Deletes an authority of a locked project, whose certificates are foreign ones then: they end at a time, or never; those that have ended are revoked, so that nothing revives them. Returns its name; undefined if there is none. */
export async function deleteAuthority(
  tx: Database,
  { projectId, authorityId }: { readonly projectId: string; readonly authorityId: string },
  foreignEnd: Date | undefined,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from certificate_authorities where authority_id = ${authorityId} and project_id = ${projectId} for update`.execute(
    tx,
  );
  if (rows[0] === undefined) return undefined;
  await sql`
    update device_certificates set authority_id = null,
      status = case when status = 'Active' and ends_at <= ${now} then 'Revoked' else status end,
      ends_at = case when ends_at <= ${now} then ends_at when status = 'Active' and ${foreignEnd !== undefined} then least(ends_at, ${foreignEnd ?? null}) end
    where authority_id = ${authorityId}`.execute(tx);
  await sql`delete from certificate_authorities where authority_id = ${authorityId}`.execute(tx);
  return rows[0].name;
}

/** Stores what a locked project demands. */
export async function saveDemand(
  tx: Database,
  projectId: string,
  { isDemanded, validForDays }: Demand,
): Promise<void> {
  await sql`
    update projects set demands_certificates = ${isDemanded}, certificate_days = ${validForDays}
    where project_id = ${projectId}`.execute(tx);
}

/** Sets when the active foreign certificates of a locked project end; never without a time. */
export async function endAllForeign(tx: Database, projectId: string, endsAt: Date | null): Promise<void> {
  await sql`
    update device_certificates c set ends_at = ${endsAt} from devices d
    where d.project_id = ${projectId} and c.device_id = d.device_id and c.status = 'Active' and c.authority_id is null`.execute(
    tx,
  );
}
