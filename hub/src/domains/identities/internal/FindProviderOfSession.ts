import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';

/** As whom a session began at the provider, if it did. */
export const FindProviderOfSession: Internal<
  { readonly sessionId: Id<'session'> },
  { readonly identity?: { readonly issuer: string; readonly subject: string } }
> = {
  name: 'users_FindProviderOfSession',
  isQuery: true,
  async run({ tx, input }) {
    const row = await tx
      .selectFrom('user_sessions')
      .select(['issuer', 'subject'])
      .where('session_id', '=', ids.session.raw(input.sessionId))
      .executeTakeFirst();
    const { issuer = null, subject = null } = row ?? {};
    return issuer === null || subject === null ? {} : { identity: { issuer, subject } };
  },
};
