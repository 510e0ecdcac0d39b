import { ids, type Actor, type Output, type WebhookFormat } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, nameKey, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';

type Shown = Output<'projects_QueryWebhooks'>['webhooks'][number];

interface Row {
  readonly webhook_id: string;
  readonly name: string;
  readonly name_key: string;
  readonly url: string;
  readonly types: string[];
  readonly format: WebhookFormat;
  readonly created_by: Actor;
  readonly created_at: string;
  readonly disabled: Shown['disabled'] | null;
  readonly last_accepted_at: string | null;
  readonly failing_since: string | null;
  readonly last_error: string | null;
  readonly former_until: string | null;
  readonly waiting: number;
}

const byName = listOrder<Row>('projects_QueryWebhooks', 'asc', [
  sortKey('name_key', 'text', nameKey(sql`w.name`)),
  sortKey('webhook_id', 'text', sql`w.webhook_id`),
]);
const mostCounted = 1_000;

/** Lists the webhooks of a project; for owners, as their URLs may be secret. */
export const QueryWebhooks: Handler<'projects_QueryWebhooks', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const { items, more } = await readPage(byName, input, {
      scope: projectId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select w.webhook_id, w.name, ${nameKey(sql`w.name`)} as name_key, w.url, w.types, w.format, w.created_by, w.created_at, w.disabled, w.last_accepted_at,
            w.failing_since, w.last_error, case when w.former_until > ${now} then w.former_until end as former_until, (
              select count(*) from (select 1 from webhook_messages m where m.webhook_id = w.webhook_id and m.next_attempt_at is not null
                limit ${mostCounted + 1}) as counted) as waiting
          from webhooks w where w.project_id = ${projectId} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { webhooks: items, ...more };
  },
};

function toOutput(row: Row): Shown {
  return {
    webhookId: ids.webhook.of(row.webhook_id),
    name: row.name,
    url: row.url,
    types: row.types,
    format: row.format,
    createdBy: row.created_by,
    createdAt: row.created_at,
    ...(row.disabled === null ? {} : { disabled: row.disabled }),
    ...(row.last_accepted_at === null ? {} : { lastAcceptedAt: row.last_accepted_at }),
    ...(row.failing_since === null ? {} : { failingSince: row.failing_since }),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
    waiting: row.waiting,
    ...(row.former_until === null ? {} : { formerSecretUntil: row.former_until }),
  };
}
