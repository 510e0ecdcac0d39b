import { ActionError } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { renderSVG } from 'uqr';
import { hashSecret } from '../../../auth/secret.ts';
import {
  base32,
  newRecoveryCodes,
  newTotpSecret,
  normalRecoveryCode,
  stepOfCode,
  totpUri,
} from '../../../auth/totp.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { KeyContext } from '../../instance/index.ts';

const enrolmentMs = 3_600_000;

/** SQL for whether a user, by an expression of its raw id, has a second factor. */
export function hasFactorSql(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from totp_factors f where f.user_id = ${userId})
    or exists (select from passkeys p where p.user_id = ${userId}))`;
}

/** How the check of a code of an authenticator ended; `WrongAndLocked` is that of the code that locks it. */
export type CodeCheck = 'Right' | 'Wrong' | 'WrongAndLocked' | 'Used' | 'Locked';

/** What is shown to whoever sets up an authenticator. */
export interface NewAuthenticator {
  /** For typing, in base32. */
  readonly secret: string;
  readonly uri: string;
  readonly qrSvg: string;
}

/** Makes the secret of an authenticator, instead of one that was not confirmed; undefined while the user has one. */
export async function beginEnrolment(
  { tx, vault, now }: KeyContext,
  userId: string,
  hubName: string,
): Promise<NewAuthenticator | undefined> {
  const factors = await readSecondFactors(tx, userId, { isLocked: true });
  if (factors === undefined || factors.added_at !== null) return undefined;
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const secret = newTotpSecret();
  const { keyId, bytes } = vault.seal(secret, `totp_enrolments/${userId}`);
  const row = { sealed: bytes, sealed_under: keyId, created_at: now };
  await tx
    .insertInto('totp_enrolments')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
  const uri = totpUri(secret, hubName, email);
  return { secret: base32(secret), uri, qrSvg: renderSVG(uri, { border: 2 }) };
}

/** Adds the authenticator whose first code this is, and returns recovery codes if it is the first factor, else none; undefined for a wrong code, which changes nothing. `isProved`: by who has proved who it is. */
export async function confirmEnrolment(
  { tx, vault, now }: KeyContext,
  userId: string,
  code: string,
  { isProved = true } = {},
): Promise<string[] | undefined> {
  // Locked, so that of two first factors at the same time only one brings recovery codes.
  const before = await readSecondFactors(tx, userId, { isLocked: true });
  const begun = await tx
    .selectFrom('totp_enrolments')
    .select(['sealed', 'sealed_under'])
    .where('user_id', '=', userId)
    .where('created_at', '>', new Date(now.getTime() - enrolmentMs).toISOString())
    .forUpdate()
    .executeTakeFirst();
  // One that is under a lost key was as good as none.
  if (
    begun === undefined ||
    before === undefined ||
    before.added_at !== null ||
    !vault.has(begun.sealed_under)
  )
    throw new ActionError('Invalid', 'This took more than an hour, or was finished elsewhere. Start again.');
  const place = `totp_enrolments/${userId}`;
  const secret = vault.open({ keyId: begun.sealed_under, bytes: begun.sealed }, place);
  const step = stepOfCode(secret, code, now);
  if (step === undefined) return undefined;
  const { keyId, bytes } = vault.seal(secret, placeOf(userId));
  await tx.deleteFrom('totp_enrolments').where('user_id', '=', userId).execute();
  await tx
    .insertInto('totp_factors')
    .values({
      user_id: userId,
      sealed: bytes,
      sealed_under: keyId,
      last_step: step,
      created_at: now,
      last_wrong_at: null,
      is_proved: isProved,
    })
    .execute();
  return hasFactor(before) ? [] : replaceRecoveryCodes(tx, userId, { isProved });
}

/** Forgets enrolments that nobody confirmed in time. */
export async function deleteExpiredEnrolments(tx: Database, now: Date): Promise<void> {
  const since = new Date(now.getTime() - enrolmentMs).toISOString();
  await tx.deleteFrom('totp_enrolments').where('created_at', '<=', since).execute();
}

/** Checks a code of the authenticator of a user, accepts it once, and counts wrong ones. */
export async function checkCode(
  { tx, vault, now }: KeyContext,
  userId: string,
  code: string,
): Promise<CodeCheck> {
  // Locked, so that guesses at the same time gain nothing over those one after the other.
  const factor = await tx
    .selectFrom('totp_factors')
    .select(['sealed', 'sealed_under', 'wrong_codes'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (factor === undefined) return 'Wrong';
  if (factor.wrong_codes >= amounts.wrongCodes.max) return 'Locked';
  if (!vault.has(factor.sealed_under))
    throw new ActionError(
      'NotReady',
      `The hub lacks the secret key ${factor.sealed_under}, under which your authenticator is stored. Use a recovery code, or ask an administrator to remove your second factor.`,
    );
  const secret = vault.open({ keyId: factor.sealed_under, bytes: factor.sealed }, placeOf(userId));
  const step = stepOfCode(secret, code, now);
  if (step === undefined) {
    await sql`update totp_factors set wrong_codes = wrong_codes + 1, last_wrong_at = ${now} where user_id = ${userId}`.execute(
      tx,
    );
    return factor.wrong_codes + 1 >= amounts.wrongCodes.max ? 'WrongAndLocked' : 'Wrong';
  }
  const { numAffectedRows } = await sql`
    update totp_factors set last_step = ${step}, wrong_codes = 0 where user_id = ${userId} and last_step < ${step}`.execute(
    tx,
  );
  return numAffectedRows === 1n ? 'Right' : 'Used';
}

/** Uses a recovery code, once; a right one unlocks the authenticator, a wrong one is noted there. */
export async function redeemRecoveryCode(
  tx: Database,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recovery_codes set used_at = ${now}
      where user_id = ${userId} and code_hash = ${hashOf(code)} and used_at is null`.execute(tx);
  const isRight = numAffectedRows === 1n;
  const change = isRight ? { wrong_codes: 0 } : { last_wrong_at: now };
  await tx.updateTable('totp_factors').set(change).where('user_id', '=', userId).execute();
  return isRight;
}

/** Makes ten recovery codes instead of those before; only here they are known. */
export async function replaceRecoveryCodes(
  tx: Database,
  userId: string,
  { isProved = true } = {},
): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({ user_id: userId, code_hash: hashOf(code), used_at: null, is_proved: isProved })),
    )
    .execute();
  return codes;
}

const hashOf = (code: string): Buffer => hashSecret(normalRecoveryCode(code));

/** Removes all second factors of a user and what belongs to them, or only the authenticator; whether there was one. */
export async function removeSecondFactors(
  tx: Database,
  userId: string,
  kind?: 'authenticator',
): Promise<boolean> {
  await tx.deleteFrom('totp_enrolments').where('user_id', '=', userId).execute();
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
  const removed = [await tx.deleteFrom('totp_factors').where('user_id', '=', userId).executeTakeFirst()];
  if (kind === undefined)
    removed.push(await tx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst());
  await deleteUnneededRecoveryCodes(tx, userId);
  return removed.some(({ numDeletedRows }) => numDeletedRows > 0n);
}

/** Deletes the recovery codes of a user who has no factor any more that they could stand in for, and those that came with an authenticator that nothing proved and that is gone. */
export async function deleteUnneededRecoveryCodes(tx: Database, userId: string): Promise<void> {
  await sql`
    delete from recovery_codes c where c.user_id = ${userId} and (not ${hasFactorSql(sql`c.user_id`)}
      or (not c.is_proved and not exists (select from totp_factors f where f.user_id = c.user_id)))`.execute(
    tx,
  );
}

/** The second factors of a user, and whether the policy asks for one. */
export interface SecondFactors {
  /** When the authenticator was added; null without one. */
  readonly added_at: string | null;
  readonly wrong_codes: number;
  readonly last_wrong_at: string | null;
  readonly passkeys: number;
  readonly recovery_codes_left: number;
  /** Whether the authenticator confirms who its user is; null without one. */
  readonly is_proved: boolean | null;
  /** As `is_proved`, of the recovery codes, used or not. */
  readonly has_proved_codes: boolean | null;
  readonly is_required: boolean;
  /** Until when the user may sign in without one; null if not asked, or not signed in under this policy so far. */
  readonly due_at: string | null;
}

/** Whether a user has a second factor. */
export const hasFactor = ({
  added_at: addedAt,
  passkeys,
}: Pick<SecondFactors, 'added_at' | 'passkeys'>): boolean => addedAt !== null || passkeys > 0;

/** Reads them; undefined for no such user. Locked, of two that remove one the second waits and sees what the first left. */
export async function readSecondFactors(
  tx: Database,
  userId: string,
  { isLocked: locks = false } = {},
): Promise<SecondFactors | undefined> {
  if (locks) await sql`select from users where user_id = ${userId} for no key update`.execute(tx);
  const { rows } = await sql<SecondFactors>`
    select f.created_at as added_at, coalesce(f.wrong_codes, 0) as wrong_codes, f.last_wrong_at, f.is_proved, is_required,
      (select bool_and(c.is_proved) from recovery_codes c where c.user_id = u.user_id) as has_proved_codes,
      (select count(*)::integer from recovery_codes c where c.user_id = u.user_id and c.used_at is null) as recovery_codes_left,
      owned.passkeys,
      case when is_required and f.user_id is null and owned.passkeys = 0 and u.factor_grace_from >= policy.changed_at
        then u.factor_grace_from + policy.grace_days * interval '1 day' end as due_at
    from users u left join totp_factors f using (user_id), ${policySql} as policy,
      lateral (select policy.policy = 'everyone' or (policy.policy = 'administrators' and u.is_admin) as is_required) as asked,
      lateral (select count(*)::integer as passkeys from passkeys p where p.user_id = u.user_id) as owned
    where u.user_id = ${userId}`.execute(tx);
  return rows[0];
}

const policySql = sql`(select
  coalesce((select value #>> '{}' from instance_settings where key = 'secondFactor'), 'optional') as policy,
  coalesce((select changed_at from instance_settings where key = 'secondFactor'), '-infinity') as changed_at,
  coalesce((select (value #>> '{}')::integer from instance_settings where key = 'secondFactorGraceDays'), 7) as grace_days)`;

/** What a user who has proved nothing but a password still has to do, by the policy of the instance. The days of grace begin with the first sign-in under it. */
export async function wantedStep(
  tx: Database,
  userId: string,
  now: Date,
): Promise<'Factor' | 'Enrolment' | undefined> {
  const factors = await readSecondFactors(tx, userId);
  if (factors === undefined) return undefined;
  if (hasFactor(factors)) return 'Factor';
  if (!factors.is_required) return undefined;
  if (factors.due_at !== null) return now.getTime() < Date.parse(factors.due_at) ? undefined : 'Enrolment';
  await tx.updateTable('users').set({ factor_grace_from: now }).where('user_id', '=', userId).execute();
  const begun = await readSecondFactors(tx, userId);
  return now.getTime() < Date.parse(begun?.due_at ?? '') ? undefined : 'Enrolment';
}

/** Seals the secrets again that are under an older key of the vault. */
export async function reencryptTotpSecrets(db: Database, vault: Vault): Promise<void> {
  const older = await db
    .selectFrom('totp_factors')
    .select(['user_id', 'sealed', 'sealed_under'])
    .where('sealed_under', '<>', vault.keyId)
    .execute();
  for (const { user_id: userId, sealed, sealed_under: keyId } of older) {
    if (!vault.has(keyId)) continue;
    const renewed = vault.seal(vault.open({ keyId, bytes: sealed }, placeOf(userId)), placeOf(userId));
    await db
      .updateTable('totp_factors')
      .set({ sealed: renewed.bytes, sealed_under: renewed.keyId })
      .where('user_id', '=', userId)
      .where('sealed', '=', sealed)
      .execute();
  }
}

const placeOf = (userId: string): string => `totp_factors/${userId}`;

/** Whether ten wrong codes have locked the authenticator. */
export const isLocked = ({ wrong_codes: wrong }: Pick<SecondFactors, 'wrong_codes'>): boolean =>
  wrong >= amounts.wrongCodes.max;
