import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { countColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { webhooksCopy } from './copy.ts';
import { stateText, WebhookBadge } from './WebhookBadge.tsx';
import type { Webhook } from './webhooks.ts';

const words = webhooksCopy.columns;

/** The columns of the webhooks of a project. */
export const webhookColumns = (projectId: Id<'project'>): readonly DataColumn<Webhook>[] => [
  nameColumn<Webhook>({
    of: ({ name }) => name,
    width: '14rem',
    cell: ({ webhookId, name }) => (
      <Link
        to="/projects/$projectId/webhooks/$webhookId"
        params={{ projectId, webhookId }}
        className="touch-area font-head wrap-anywhere text-ink hover:underline"
        onClick={(event) => event.stopPropagation()}
      >
        {name}
      </Link>
    ),
  }),
  {
    id: 'state',
    header: words.state,
    width: '10rem',
    value: stateText,
    cell: (webhook) => <WebhookBadge {...{ webhook }} />,
    onPhone: 'badge',
  },
  {
    id: 'url',
    header: words.url,
    isFilling: true,
    value: ({ url }) => url,
    cell: ({ url }) => (
      <span dir="ltr" className="font-mono text-mono wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-40">
        {url}
      </span>
    ),
    onPhone: 'meta',
  },
  {
    id: 'types',
    header: words.types,
    width: '14rem',
    isExtra: true,
    value: ({ types }) => types.join(', '),
    cell: ({ types }) => (
      <span className="wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-52">
        {types.length === 0 ? webhooksCopy.onlyAlerts : types.join(', ')}
      </span>
    ),
  },
  countColumn<Webhook>({ id: 'waiting', header: words.waiting, width: '6rem', of: ({ waiting }) => waiting }),
  timeColumn<Webhook>({
    id: 'lastAccepted',
    header: words.lastAccepted,
    width: '10rem',
    of: ({ lastAcceptedAt }) => lastAcceptedAt,
  }),
];
