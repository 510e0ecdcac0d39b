import { ActionError } from '@corral/contract';
import { countsOf } from '../../../auth/request-limits.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';
import { mustUsePassword } from '../sql/password-policy.ts';
import { countRequest } from '../sql/request-limits.ts';
import { notFound } from '../../../auth/actors.ts';

/** Locks the row of a user who may get a link, and counts the link; throws an `ActionError` for no user, a disabled one, one who may not use a password, and beyond the limits. */
export async function mustGetPasswordLink({ tx, now, vault }: KeyContext, userId: string): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('disabled_at')
    .where('user_id', '=', userId)
    .where('is_service', '=', false)
    .forUpdate()
    .executeTakeFirst();
  if (user === undefined) throw notFound('User');
  if (user.disabled_at !== null)
    throw new ActionError('Invalid', 'This user is disabled. Enable the user first.');
  await mustUsePassword(tx, userId);
  const key = await instanceKey({ tx, now, vault }, 'request-limits');
  await countRequest(tx, countsOf(key, 'passwordLinks', userId), now);
}
