import { nameProblem } from '@corral/contract';
import type { Identity } from '../../../auth/oidc/provider.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { addIdentity } from './user-identities.ts';

interface NewAccount {
  /** Canonical. */
  readonly email: string;
  /** While nothing confirms the address: the raw id of the invitation, the only one that the account may accept. */
  readonly onlyInvitationId: string | null;
  readonly now: Date;
}

/** Makes an account without a password, to which an identity is linked; its raw id, undefined if its address has an account, or another tab has linked the identity meanwhile. */
export async function addLinkedAccount(
  tx: Database,
  { email, onlyInvitationId, now }: NewAccount,
  identity: Identity,
): Promise<string | undefined> {
  const { name } = identity;
  const isName = name !== undefined && nameProblem(name, 'displayName') === undefined;
  const added = await tx
    .insertInto('users')
    .values({
      user_id: newRawId(),
      email,
      display_name: isName ? name.trim() : null,
      password_hash: null,
      is_admin: false,
      created_at: now,
      only_invitation_id: onlyInvitationId,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (added === undefined) return undefined;
  if ((await addIdentity(tx, added.user_id, identity, now)) !== 'Added') {
    await tx.deleteFrom('users').where('user_id', '=', added.user_id).execute();
    return undefined;
  }
  // A registration of the address by whomever is of no use any more.
  if (onlyInvitationId === null)
    await tx.deleteFrom('user_registrations').where('email', '=', email).execute();
  return added.user_id;
}
