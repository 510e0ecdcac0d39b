import type { AuditLogEvent } from '@corral/contract';
import { Fragment, type ReactNode } from 'react';
import { logCopy } from './copy.ts';
import { idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { jsonText } from '../../ui/text/json-text.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { ActorView, actorText } from '../../parts/ActorView.tsx';
import { DataBadges, LinkedId } from '../../parts/DataBadges.tsx';
import type { IdContext } from '../../parts/id-path.ts';

const words = logCopy.columns;

/** Callbacks that filter the log by a type or an actor. */
export type LogFilters = { onType: (type: string) => void; onActor: (actor: AuditLogEvent['actor']) => void };

/** What ids lead to is found by the known names and by the data beside them. */
export type IdNames = Omit<IdContext, 'data'>;

/** The columns of a log, whose data is shown without the key `omit`. An entry is one line. */
export function logColumns(
  known: IdNames,
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
      isPlain: true,
    }),
    timeColumn({
      id: 'timestamp',
      header: words.timestamp,
      width: '6.75rem',
      of: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      onPhone: 'meta',
    }),
    nameColumn({
      id: 'type',
      header: words.type,
      width: '12rem',
      of: ({ event }) => event,
      cell: ({ event }) => <TypeBadge type={event} isShort onFilter={() => onType(event)} />,
    }),
    {
      id: 'actor',
      header: words.actor,
      width: '9rem',
      value: ({ actor }) => actorText(actor, known.names),
      ...inTableAndCard(({ actor, data }, isOneLine) => (
        <ActorView
          actor={actor}
          context={{ ...known, data }}
          isOneLine={isOneLine}
          onFilter={() => onActor(actor)}
        />
      )),
    },
    {
      id: 'data',
      header: words.data,
      isFilling: true,
      value: ({ data }) => jsonText(data),
      ...inTableAndCard(({ data }, isOneLine) => (
        <DataCell isOneLine={isOneLine}>
          <DataBadges context={{ ...known, data }} omit={omit} isOneLine={isOneLine} />
        </DataCell>
      )),
    },
    {
      id: 'cause',
      header: words.cause,
      width: '8.5rem',
      isTooWideForPaper: true,
      value: ({ action, job }) => action?.actionId ?? job?.jobId,
      ...inTableAndCard(
        ({ action, job, data }, isOneLine) =>
          (action ?? job) && (
            <Cause
              action={action?.actionId}
              job={job?.jobId}
              context={{ ...known, data }}
              length={9}
              isPlain={isOneLine}
            />
          ),
      ),
    },
  ];
}

/** The event type; a click filters by it. With `isShort` a table cuts it earlier on windows below 1400 px, where the other columns need the room. */
export function TypeBadge({
  type,
  isShort = false,
  onFilter,
}: {
  type: string;
  isShort?: boolean | undefined;
  onFilter: () => void;
}) {
  return (
    <button
      type="button"
      dir="ltr"
      title={logCopy.onlyType(type)}
      onClick={onFilter}
      className="group touch-area inline-flex max-w-full align-middle"
    >
      <span
        className={`${isShort ? 'in-[td]:max-w-44 in-[td]:min-[87.5rem]:max-w-56' : 'in-[td]:max-w-56'} max-w-full rounded-full border border-line bg-surface px-2 py-0.75 text-start font-mono text-small wrap-break-word text-ink transition-colors group-hover:border-denim group-hover:text-denim in-[td]:truncate in-[td]:print:max-w-none in-[td]:print:whitespace-normal`}
      >
        {wordsOf(type).map((word, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr className="in-[td]:hidden" />}
            {word}
          </Fragment>
        ))}
      </span>
    </button>
  );
}

// Splits a long name where a line may break.
function wordsOf(type: string): string[] {
  return type.split(/(?<=_)|(?=[A-Z])/u);
}

/** The command or the job of an entry; nothing without one. */
export function Cause({
  action,
  job,
  context,
  length,
  isPlain,
}: {
  action: string | undefined;
  job: string | undefined;
  context: IdContext;
  length: number;
  isPlain?: boolean | undefined;
}) {
  const id = action ?? job;
  if (id === undefined) return null;
  const what = action === undefined ? logCopy.jobWhat : logCopy.actionWhat;
  return <LinkedId id={id} {...{ what, context, length, isPlain }} />;
}

/** A cell that is one line in a table and wraps in a card. */
export function inTableAndCard<Row>(
  view: (row: Row, isOneLine: boolean) => ReactNode,
): Pick<DataColumn<Row>, 'cell' | 'phoneCell'> {
  return { cell: (row) => view(row, true), phoneCell: (row) => view(row, false) };
}

/** Takes the room that the other columns leave, however much data there is. */
export function DataCell({ isOneLine, children }: { isOneLine: boolean; children: ReactNode }) {
  return isOneLine ? (
    <div className="min-w-32 contain-inline-size print:contain-none">{children}</div>
  ) : (
    <div>{children}</div>
  );
}
