import { ids, type Json, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustOwnWebhook, type ProjectAccess } from '../../projects/index.ts';

type Shown = Output<'projects_QueryWebhookDeliveries'>['deliveries'][number];

interface Row {
  readonly message_id: string;
  readonly type: string;
  readonly data: Json;
  readonly happened_at: string;
  readonly status: Shown['status'];
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt_at: string | null;
  readonly http_status: number | null;
  readonly duration_ms: number | null;
  readonly last_error: string | null;
}

const newestFirst = listOrder<Row>('projects_QueryWebhookDeliveries', 'desc', [
  sortKey('happened_at', 'timestamptz', sql`m.happened_at`),
  sortKey('message_id', 'text', sql`m.message_id`),
]);

const conditions: Readonly<Record<Shown['status'], ReturnType<typeof sql<boolean>>>> = {
  Waiting: sql<boolean>`m.next_attempt_at is not null`,
  Accepted: sql<boolean>`(m.next_attempt_at is null and m.is_accepted)`,
  Failed: sql<boolean>`(m.next_attempt_at is null and not m.is_accepted)`,
};

/** Lists the messages of a webhook, newest first. What receivers answered is not kept: it may be that of an internal service. */
export const QueryWebhookDeliveries: Handler<'projects_QueryWebhookDeliveries', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnWebhook(tx, actor, input.webhookId),

  async run({ tx, input }) {
    const webhookId = ids.webhook.raw(input.webhookId);
    const isWanted = input.status === undefined ? sql`true` : conditions[input.status];
    const { items, more } = await readPage(newestFirst, input, {
      scope: `${webhookId} ${input.status ?? ''}`,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select m.message_id, m.type, m.data, m.happened_at, m.attempts, m.next_attempt_at, m.last_attempt_at, m.http_status, m.duration_ms, m.last_error,
            case when ${conditions.Waiting} then 'Waiting' when m.is_accepted then 'Accepted' else 'Failed' end as status
          from webhook_messages m where m.webhook_id = ${webhookId} and ${isWanted} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { deliveries: items, ...more };
  },
};

function toOutput(row: Row): Shown {
  return {
    messageId: ids.webhookMessage.of(row.message_id),
    type: row.type,
    status: row.status,
    at: row.happened_at,
    data: row.data,
    attempts: row.attempts,
    ...(row.last_attempt_at === null ? {} : { lastAttemptAt: row.last_attempt_at }),
    ...(row.http_status === null ? {} : { httpStatus: row.http_status }),
    ...(row.duration_ms === null ? {} : { durationMs: row.duration_ms }),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
    ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
  };
}
