import type { Id } from '@corral/contract';
import { notFound } from '@tanstack/react-router';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { webhooksCopy as words } from './copy.ts';
import { DeliveriesTable } from './DeliveriesTable.tsx';
import { WebhookActions } from './WebhookActions.tsx';
import { WebhookBadge } from './WebhookBadge.tsx';
import { type Webhook, webhooksQuery } from './webhooks.ts';

/** A webhook: where it sends what, how it stands, and its messages. */
export function WebhookPage({
  projectId,
  webhookId,
}: {
  projectId: Id<'project'>;
  webhookId: Id<'webhook'>;
}) {
  const { data } = useLoadedQuery(webhooksQuery(projectId));
  const webhook = data.webhooks.find((one) => one.webhookId === webhookId);
  if (webhook === undefined) throw notFound();
  return (
    <Page>
      <SectionHeader
        title={webhook.name}
        name={webhook.name}
        badges={<WebhookBadge {...{ webhook }} />}
        actions={<WebhookActions {...{ projectId, webhook }} />}
      />
      <State {...{ webhook }} />
      <div className="mb-5">
        <Facts {...{ projectId, webhook }} />
      </div>
      <DeliveriesTable webhookId={webhookId} />
    </Page>
  );
}

function State({ webhook: { disabled, failingSince, lastError } }: { webhook: Webhook }) {
  if (disabled === undefined && failingSince === undefined) return null;
  return (
    <div className="mb-5">
      <Notice
        tone={disabled === 'ByOwner' ? 'info' : 'warn'}
        title={disabled === undefined ? words.states.failing : words.states[disabled]}
      >
        {disabled === undefined ? (
          <>
            {words.why.failing}{' '}
            {failingSince !== undefined && (
              <span className="whitespace-nowrap">
                <RelativeTime at={failingSince} />.
              </span>
            )}{' '}
          </>
        ) : (
          `${words.why[disabled]} `
        )}
        {lastError}
      </Notice>
    </div>
  );
}

function Facts({ projectId, webhook }: { projectId: Id<'project'>; webhook: Webhook }) {
  const names = useActorNames(projectId);
  const { url, types, format, createdBy, createdAt, formerSecretUntil } = webhook;
  const who = 'userId' in createdBy ? names.get(createdBy.userId) : undefined;
  return (
    <Card title={words.about} isFlush>
      <Properties
        items={[
          {
            name: words.columns.url,
            value: (
              <span dir="ltr" className="font-mono text-mono wrap-anywhere">
                {url}
              </span>
            ),
          },
          { name: words.columns.format, value: words.formats[format] },
          {
            name: words.columns.types,
            value:
              types.length === 0 ? (
                words.onlyAlerts
              ) : (
                <span className="wrap-anywhere">{types.join(', ')}</span>
              ),
          },
          {
            name: words.created,
            value: (
              <>
                <RelativeTime at={createdAt} /> {who}
              </>
            ),
          },
          {
            name: words.formerSecret,
            value: formerSecretUntil === undefined ? undefined : <RelativeTime at={formerSecretUntil} />,
          },
        ]}
      />
    </Card>
  );
}
