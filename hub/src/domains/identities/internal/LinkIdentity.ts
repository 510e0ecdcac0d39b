import { ids, type Id } from '@corral/contract';
import type { Identity } from '../../../auth/oidc/provider.ts';
import type { Internal } from '../../../calls/handler.ts';
import { addIdentity } from '../sql/user-identities.ts';
import { queueMail } from '../../users/index.ts';

interface Link {
  readonly identity: Identity;
  readonly userId: Id<'user'>;
}

/** Links an identity to the user who has just signed in at the provider out of their own session. One that is linked to somebody else stays there. */
export const LinkIdentity: Internal<Link, { readonly result: 'Linked' | 'Refused' }> = {
  name: 'users_LinkIdentity',
  isRecorded: true,
  async run({ tx, input: { identity, userId }, now, emit }) {
    const rawUserId = ids.user.raw(userId);
    const result = await addIdentity(tx, rawUserId, identity, now);
    if (result !== 'Added') return { result: result === 'Known' ? 'Linked' : 'Refused' };
    await queueMail(tx, { kind: 'IdentityLinked', userId: rawUserId, now });
    emit('users_IdentityLinked', { userId }, { actor: 'User', kind: 'User', userId });
    emit('mail_Queued', {});
    return { result: 'Linked' };
  },
};
