import type { AuditLogEvent } from '@corral/contract';
import { Fragment } from 'react';
import { logCopy } from './copy.ts';
import { KeyValueBadges } from '../../ui/badge/KeyValueBadges.tsx';
import { idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { ActorView, actorText } from '../../parts/ActorView.tsx';
import type { ActorNames } from '../../parts/use-actor-names.ts';

const words = logCopy.columns;

/** Callbacks that filter the log by a type or an actor. */
export type LogFilters = { onType: (type: string) => void; onActor: (actor: AuditLogEvent['actor']) => void };

/** The columns of a log, whose data is shown without the key `omit`. */
export function logColumns(
  names: ActorNames,
  omit: string,
  { onType, onActor }: LogFilters,
): DataColumn<AuditLogEvent>[] {
  return [
    idColumn({
      id: 'id',
      header: words.id,
      width: '8.5rem',
      of: ({ eventId }) => eventId,
      what: logCopy.entryWhat,
      length: 9,
    }),
    timeColumn({
      id: 'timestamp',
      header: words.timestamp,
      width: '6.75rem',
      of: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} className="min-h-6 text-ink2" />,
      onPhone: 'meta',
    }),
    nameColumn({
      id: 'type',
      header: words.type,
      width: '13rem',
      of: ({ event }) => event,
      cell: ({ event }) => <TypeBadge type={event} onFilter={() => onType(event)} />,
    }),
    {
      id: 'actor',
      header: words.actor,
      width: '10.5rem',
      value: ({ actor }) => actorText(actor, names),
      cell: ({ actor }) => <ActorView actor={actor} names={names} onFilter={() => onActor(actor)} />,
    },
    {
      id: 'data',
      header: words.data,
      value: ({ data }) => JSON.stringify(data),
      cell: ({ data }) => (
        <div className="min-w-48">
          <KeyValueBadges data={data} omit={[omit]} />
        </div>
      ),
    },
    {
      id: 'cause',
      header: words.cause,
      width: '8.5rem',
      value: ({ action, job }) => action?.actionId ?? job?.jobId,
      cell: ({ action, job }) => (action ?? job) && <Cause action={action?.actionId} job={job?.jobId} />,
    },
  ];
}

/** The event type; a click filters by it. */
export function TypeBadge({ type, onFilter }: { type: string; onFilter: () => void }) {
  return (
    <button
      type="button"
      dir="ltr"
      title={logCopy.onlyType(type)}
      onClick={onFilter}
      className="min-h-6 max-w-full rounded-full border border-line bg-surface px-2 text-start font-mono text-small wrap-break-word text-ink transition-colors hover:border-denim hover:text-denim"
    >
      {wordsOf(type).map((word, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </button>
  );
}

// Splits a long name where a line may break.
function wordsOf(type: string): string[] {
  return type.split(/(?<=_)|(?=[A-Z])/u);
}

function Cause({ action, job }: { action: string | undefined; job: string | undefined }) {
  const id = action ?? job;
  if (id === undefined) return null;
  return <IdTag value={id} what={action === undefined ? logCopy.jobWhat : logCopy.actionWhat} length={9} />;
}
