import { type AuthenticationMethod, type Id, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustManageAccount } from '../../users/index.ts';

interface Row {
  readonly event_id: string;
  readonly created_at: string;
  readonly event: string;
  /** That of older events has less. */
  readonly data: {
    readonly sessionId?: Id<'session'>;
    readonly methods?: AuthenticationMethod[];
    readonly method?: AuthenticationMethod;
    readonly address?: string;
    readonly network?: string;
    readonly userAgent?: string;
  };
}

const shownDays = 30;

const newestFirst = listOrder<Row>(
  'users_QuerySignIns',
  'desc',
  [sortKey('created_at', 'timestamptz'), sortKey('event_id', 'text')],
  { defaultRows: 50, maxRows: 500 },
);

/** Lists the sign-ins of a user that succeeded or failed lately, as far as the audit log has them, and marks the one of the current session. */
export const QuerySignIns: Handler<'users_QuerySignIns'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input, origin, now }) {
    const userId = ids.user.raw(input.userId);
    const since = new Date(now.getTime() - shownDays * 24 * 3_600_000);
    const { items, more } = await readPage(newestFirst, input, {
      scope: userId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select event_id, created_at, event, data from (
            select a.event_id, a.created_at, e.event, e.data from audit_event_entities a join audit_events e using (event_id)
            where a.entity_kind = 'user' and a.entity_id = ${userId} and a.created_at >= ${since}
              and e.event in ('users_SessionInitiated', 'users_SignInFailed', 'users_SecondFactorFailed')
          ) as sign_ins where ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: (row) => toOutput(row, origin.sessionId),
    });
    return { signIns: items, ...more };
  },
};

function toOutput({ event_id: eventId, created_at: at, event, data }: Row, currentSessionId?: string) {
  const { sessionId, methods, method, address, network, userAgent } = data;
  const hasSucceeded = event === 'users_SessionInitiated';
  const from = address ?? network;
  return {
    eventId: ids.auditEvent.of(eventId),
    at,
    hasSucceeded,
    methods: methods ?? (method === undefined ? [] : [method]),
    ...(from === undefined ? {} : { address: from }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(sessionId === undefined ? {} : { sessionId }),
    isCurrent: hasSucceeded && sessionId !== undefined && ids.session.raw(sessionId) === currentSessionId,
  };
}
