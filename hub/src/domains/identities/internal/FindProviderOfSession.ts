import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';

/** The issuer of the provider at which a session began, if it did. */
export const FindProviderOfSession: Internal<
  { readonly sessionId: Id<'session'> },
  { readonly issuer?: string }
> = {
  name: 'users_FindProviderOfSession',
  isQuery: true,
  async run({ tx, input }) {
    const row = await tx
      .selectFrom('user_sessions')
      .select('issuer')
      .where('session_id', '=', ids.session.raw(input.sessionId))
      .executeTakeFirst();
    const issuer = row?.issuer ?? undefined;
    return issuer === undefined ? {} : { issuer };
  },
};
