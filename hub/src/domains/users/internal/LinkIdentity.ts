import { ids, type Id } from '@corral/contract';
import type { Identity } from '../../../auth/oidc/provider.ts';
import type { Internal } from '../../../calls/handler.ts';
import { addIdentity } from '../sql/user-identities.ts';

interface Link {
  readonly identity: Identity;
  readonly userId: Id<'user'>;
}

/** Links an identity to the user who has just signed in at the provider out of their own session. One that is linked to somebody else stays there. */
export const LinkIdentity: Internal<Link, { readonly result: 'Linked' | 'Refused' }> = {
  name: 'users_LinkIdentity',
  isRecorded: true,
  async run({ tx, input: { identity, userId }, now, emit }) {
    if (!(await addIdentity(tx, ids.user.raw(userId), identity, now))) return { result: 'Refused' };
    emit('users_IdentityLinked', { userId });
    return { result: 'Linked' };
  },
};
