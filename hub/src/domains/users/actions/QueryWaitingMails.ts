import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustBeAdministrator } from '../policy/actors.ts';
import { readWaitingMails, type WaitingMail } from '../sql/mail-queue.ts';

const oldestFirst = listOrder<WaitingMail>('users_QueryWaitingMails', 'asc', [
  sortKey('created_at', 'timestamptz'),
  sortKey('mail_id', 'text'),
]);

/** Lists the e-mails that wait although they were to be sent, for administrators. */
export const QueryWaitingMails: Handler<'users_QueryWaitingMails'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now }) {
    const { items, more } = await readPage(oldestFirst, input, {
      read: (slice) => readWaitingMails(tx, slice, now),
      toItem: toOutput,
    });
    return { mails: items, ...more };
  },
};

function toOutput(row: WaitingMail) {
  return {
    mailId: row.mail_id,
    kind: row.kind,
    email: row.email,
    ...(row.user_id === null ? {} : { userId: ids.user.of(row.user_id) }),
    queuedAt: row.created_at,
    attempts: row.attempts,
  };
}
