import type { Run } from '../../data/action-mutation.ts';
import { orToast } from '../../parts/or-toast.ts';
import { OperationGlyph } from '../../ui/picture/OperationGlyph.tsx';
import { countColumn, menuColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { webhooksCopy } from './copy.ts';
import { replayDelivery } from './webhook-mutations.ts';
import type { Delivery, Webhook } from './webhooks.ts';
import { Repeat } from 'lucide-react';

const words = webhooksCopy.deliveries;
const tones = { Waiting: 'text-ink2', Accepted: 'text-ok', Failed: 'text-danger' };
const marks = { Waiting: 'waiting', Accepted: 'succeeded', Failed: 'failed' } as const;

/** The columns of the messages of a webhook. */
export const deliveryColumns = (
  run: Run,
  webhookId: Webhook['webhookId'],
): readonly DataColumn<Delivery>[] => [
  nameColumn<Delivery>({ id: 'type', header: words.type, isFilling: true, of: ({ type }) => type }),
  {
    id: 'status',
    header: words.status,
    width: '9rem',
    value: ({ status }) => words.statuses[status],
    cell: ({ status }) => (
      <span
        className={`inline-flex items-center gap-1.5 text-label font-head whitespace-nowrap ${tones[status]}`}
      >
        <OperationGlyph mark={marks[status]} />
        {words.statuses[status]}
      </span>
    ),
    onPhone: 'badge',
  },
  timeColumn<Delivery>({ id: 'at', header: words.at, width: '8rem', of: ({ at }) => at, onPhone: 'meta' }),
  {
    id: 'answer',
    header: words.answer,
    width: '20rem',
    value: ({ httpStatus, lastError }) => lastError ?? (httpStatus === undefined ? '' : String(httpStatus)),
    cell: (delivery) => <Answer {...{ delivery }} />,
    onPhone: 'meta',
  },
  countColumn<Delivery>({
    id: 'attempts',
    header: words.attempts,
    width: '6rem',
    isExtra: true,
    of: ({ attempts }) => attempts,
  }),
  menuColumn<Delivery>({
    idOf: ({ messageId }) => messageId,
    nameOf: ({ type }) => type,
    what: words.id,
    of: ({ messageId }) => [
      {
        label: words.again,
        icon: <Repeat aria-hidden />,
        onSelect: () =>
          orToast(
            words.notSentAgain,
            run(replayDelivery, { webhookId, messageId }).then(() =>
              showToast(words.sentAgain, { tone: 'ok' }),
            ),
          ),
      },
    ],
  }),
];

function Answer({
  delivery: { httpStatus, durationMs, lastError, nextAttemptAt, attempts },
}: {
  delivery: Delivery;
}) {
  if (attempts === 0) return null;
  return (
    <span className="wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-64">
      {lastError ?? httpStatus}
      {lastError === undefined && durationMs !== undefined && (
        <span className="tabular text-ink3"> {durationMs} ms</span>
      )}
      {nextAttemptAt !== undefined && (
        <span className="text-ink3">
          {' '}
          {words.next} <RelativeTime at={nextAttemptAt} />
        </span>
      )}
    </span>
  );
}
