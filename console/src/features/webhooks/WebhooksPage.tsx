import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { terms } from '../../copy/terms.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { webhooksCopy as words } from './copy.ts';
import { NewWebhookDialog } from './NewWebhookDialog.tsx';
import { webhookColumns } from './webhook-columns.tsx';
import { webhooksQuery } from './webhooks.ts';

/** The webhooks of a project, and the dialog that creates one. */
export function WebhooksPage({ projectId }: { projectId: Id<'project'> }) {
  const navigate = useNavigate();
  return (
    <ResourceListPage
      meta={(count) => (count === 0 ? words.text : words.summary(count))}
      source={queryRows(webhooksQuery(projectId), ({ webhooks }) => webhooks)}
      columns={useMemo(() => webhookColumns(projectId), [projectId])}
      rowKey={({ webhookId }) => webhookId}
      rowName={({ name }) => name}
      filterLabel={words.filter}
      csvName={words.csvName}
      onOpen={({ webhookId }) =>
        void navigate({ to: '/projects/$projectId/webhooks/$webhookId', params: { projectId, webhookId } })
      }
      create={{
        label: terms.create.webhooks,
        dialog: (dialog) => <NewWebhookDialog {...dialog} projectId={projectId} />,
      }}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
