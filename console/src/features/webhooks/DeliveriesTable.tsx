import type { Id } from '@corral/contract';
import { useMemo, useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { failureOf, moreLiveRows } from '../../parts/more-live-rows.ts';
import { NextPage } from '../../parts/NextPage.tsx';
import { useLivePages } from '../../parts/use-live-pages.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { OptionalChips } from '../../ui/form/OptionalChips.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { webhooksCopy } from './copy.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveryStatuses, type WebhookSearch } from './webhook-search.ts';
import { deliveriesQuery, type Delivery } from './webhooks.ts';

const words = webhooksCopy.deliveries;
const keyOf = ({ messageId }: Delivery): string => messageId;

/** The messages of a webhook, newest first; which are listed is in the URL. One opens with what was sent. */
export function DeliveriesTable({ webhookId }: { webhookId: Id<'webhook'> }) {
  const [{ status }, search] = useUrlSearch<WebhookSearch>();
  const run = useRun();
  const [opened, setOpened] = useState<Delivery>();
  const [isOpen, setIsOpen] = useState(false);
  const pages = useLivePages({
    queryOf: (after) => deliveriesQuery(webhookId, status, after),
    rowsOf: ({ deliveries }) => deliveries,
    keyOf,
    isEnabled: true,
  });
  const { rows, readAllRows, onRowsInSight } = pages;
  const columns = useMemo(() => deliveryColumns(run, webhookId), [run, webhookId]);
  return (
    <>
      <DataTable
        label={words.title}
        {...{ columns, rows, readAllRows, onRowsInSight }}
        failure={failureOf(pages)}
        isServerSide
        rowKey={keyOf}
        filters={
          <OptionalChips
            label={words.status}
            value={status}
            onValueChange={(status) => search({ status })}
            all={words.all}
            chips={deliveryStatuses.map((value) => ({ value, label: words.statuses[value] }))}
          />
        }
        isFiltered={status !== undefined}
        onClearFilters={() => search({ status: undefined })}
        csvName={words.csvName}
        onOpen={(delivery) => {
          setOpened(delivery);
          setIsOpen(true);
        }}
        empty={<EmptyState title={words.emptyTitle} text={words.emptyText} />}
      />
      {rows !== undefined && rows.length > 0 && pages.loadMore !== undefined && (
        <NextPage more={moreLiveRows(pages, rows.length)} />
      )}
      {opened !== undefined && (
        <Dialog open={isOpen} onOpenChange={setIsOpen} title={opened.type} description={opened.messageId}>
          <CodeBlock
            what={words.body}
            code={JSON.stringify({ type: opened.type, timestamp: opened.at, data: opened.data }, null, 2)}
          />
        </Dialog>
      )}
    </>
  );
}
