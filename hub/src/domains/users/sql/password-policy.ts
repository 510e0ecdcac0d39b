import type { ActionError } from '@corral/contract';
import { forbidden } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readSetting } from '../../instance/index.ts';

/** Who may sign in with a password, by the settings of the instance. */
type PasswordPolicy = 'allowed' | 'administrators' | 'nobody';

/** Reads it from the database, so that it holds on every node at once. */
export async function readPasswordPolicy(tx: Database): Promise<PasswordPolicy> {
  return ((await readSetting(tx, 'passwords')) ?? 'allowed') as PasswordPolicy;
}

/** Whether a user, by its raw id, may sign in with a password. */
export async function mayUsePassword(tx: Database, userId: string): Promise<boolean> {
  const policy = await readPasswordPolicy(tx);
  if (policy !== 'administrators') return policy === 'allowed';
  const user = await tx
    .selectFrom('users')
    .select('is_admin')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return user?.is_admin === true;
}

/** Whether a user, by its raw id, has a password and may sign in with it. */
export async function hasUsablePassword(tx: Database, userId: string): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (user?.password_hash ?? null) !== null && (await mayUsePassword(tx, userId));
}

/** Requires that a user, by its raw id, may sign in with a password. */
export async function mustUsePassword(tx: Database, userId: string): Promise<void> {
  if (!(await mayUsePassword(tx, userId))) throw passwordsAreOff();
}

/** Requires that new accounts may have a password; those of administrators may longer. */
export async function mustGivePasswords(tx: Database, isAdmin = false): Promise<void> {
  const policy = await readPasswordPolicy(tx);
  if (policy === 'nobody' || (policy === 'administrators' && !isAdmin)) throw passwordsAreOff();
}

/** Why a password is refused, whether it is right or not. */
export function passwordsAreOff(): ActionError {
  return forbidden('Passwords are switched off on this hub. Sign in at the provider, or with a passkey.');
}
