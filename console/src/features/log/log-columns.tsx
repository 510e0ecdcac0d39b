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

/** The columns of a log, whose data is shown without the key `omit`. An entry is two lines. */
export function logColumns(
  known: IdNames,
  omit: string,
  { onType, onActor }: LogFilters,
): DataColumn<AuditLogEvent>[] {
  return [
    idColumn({
      id: 'id',
      header: words.id,
      width: '5.5rem',
      tightWidth: '5rem',
      of: ({ eventId }) => eventId,
      what: logCopy.entryWhat,
      length: 5,
      isPlain: true,
    }),
    timeColumn({
      id: 'timestamp',
      header: words.timestamp,
      width: '6.25rem',
      tightWidth: '5.5rem',
      of: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      onPhone: 'meta',
    }),
    nameColumn({
      id: 'type',
      header: words.type,
      width: '14rem',
      tightWidth: '13rem',
      of: ({ event }) => event,
      cell: ({ event }) => <EventType type={event} onFilter={() => onType(event)} />,
    }),
    {
      id: 'actor',
      header: words.actor,
      width: '10.5rem',
      tightWidth: '7.5rem',
      value: ({ actor }) => actorText(actor, known.names),
      ...inTableAndCard(({ actor, data }, isBrief) => (
        <ActorView
          actor={actor}
          context={{ ...known, data }}
          isBrief={isBrief}
          onFilter={() => onActor(actor)}
        />
      )),
    },
    {
      id: 'data',
      header: words.data,
      isFilling: true,
      value: ({ data }) => jsonText(data),
      ...inTableAndCard(({ data }, isBrief) => (
        <DataCell isBrief={isBrief}>
          <DataBadges context={{ ...known, data }} omit={omit} isBrief={isBrief} />
        </DataCell>
      )),
    },
    {
      id: 'cause',
      header: words.cause,
      width: '5.75rem',
      tightWidth: '4.75rem',
      isTooWideForPaper: true,
      value: ({ action, job }) => action?.actionId ?? job?.jobId,
      ...inTableAndCard(
        ({ action, job, data }, isBrief) =>
          (action ?? job) && (
            <Cause
              action={action?.actionId}
              job={job?.jobId}
              context={{ ...known, data }}
              length={5}
              isPlain={isBrief}
            />
          ),
      ),
    },
  ];
}

/** The type of an entry or a command, never cut: in a table its module is on a line of its own. It copies as one word; a click filters by it. */
export function EventType({ type, onFilter }: { type: string; onFilter: () => void }) {
  const [module = '', ...words] = wordsOf(type);
  return (
    <button
      type="button"
      dir="ltr"
      title={logCopy.onlyType(type)}
      onClick={onFilter}
      className="touch-area min-h-6 max-w-full in-[td]:min-w-50 in-[td]:first-line:text-ink2 in-data-tight:min-w-36! rounded-control text-start align-middle font-mono text-small text-ink hover:text-denim hover:underline"
    >
      {module}
      <span className="line-end-in-cell" />
      {words.map((word, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </button>
  );
}

// The module with its "_", and the parts of a long name where a line may break.
function wordsOf(type: string): string[] {
  return type.split(/(?<=_)|(?<=[a-z])(?=[A-Z])/u);
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

/** A cell that is brief in a table and wraps in a card. */
export function inTableAndCard<Row>(
  view: (row: Row, isBrief: boolean) => ReactNode,
): Pick<DataColumn<Row>, 'cell' | 'phoneCell'> {
  return { cell: (row) => view(row, true), phoneCell: (row) => view(row, false) };
}

/** Takes the room that the other columns leave, however much data there is. */
export function DataCell({ isBrief, children }: { isBrief: boolean; children: ReactNode }) {
  return isBrief ? (
    <div className="min-w-32 contain-inline-size print:contain-none">{children}</div>
  ) : (
    <div>{children}</div>
  );
}
