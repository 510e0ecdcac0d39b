import { ids } from '@corral/contract';
import { mustHaveSession, notFound } from '../../../auth/actors.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustAdministerBySession, countRequest } from '../../users/index.ts';
import { instanceKey } from '../sql/instance-keys.ts';

type Outcome = { readonly isSent: boolean; readonly message: string };

/** Sends an e-mail to the caller, before the transaction, since a mail server may be slow. */
export const SendTestMail: Handler<'instance_SendTestMail', Outcome, Outcome> = {
  async prepare(context) {
    const { tx, actor, now, sendTestMail } = context;
    await mustAdministerBySession(tx, actor);
    const { userId } = mustHaveSession(actor);
    await countRequest(tx, countsOf(await instanceKey(context, 'request-limits'), 'testMails', userId), now);
    const user = await tx
      .selectFrom('users')
      .select('email')
      .where('user_id', '=', ids.user.raw(userId))
      .executeTakeFirst();
    if (user === undefined) throw notFound('User');
    return sendTestMail(user.email);
  },

  async authorize({ tx, actor }, outcome) {
    await mustAdministerBySession(tx, actor);
    return outcome;
  },

  run: async (_context, outcome) => outcome,
};
