import type { AuditLogEvent } from '@corral/contract';
import type { ReactNode } from 'react';
import { logCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { Properties } from '../../ui/layout/Properties.tsx';
import { Drawer } from '../../ui/overlay/Drawer.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { AbsoluteTime } from '../../ui/time/AbsoluteTime.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { ActorView } from '../../parts/ActorView.tsx';
import { AuditSentence } from '../../parts/AuditSentence.tsx';
import { LinkedId } from '../../parts/DataBadges.tsx';
import { type IdContext, idKindOf } from '../../parts/id-path.ts';
import { Cause } from './log-columns.tsx';
import { RawJson } from './RawJson.tsx';
import type { ActorNames } from '../../parts/use-actor-names.ts';

const words = logCopy.columns;

/** A log entry as a sentence, with every id and the whole data. */
export function LogEntryDrawer({
  entry,
  neighbours,
  isOpen,
  names,
  isAdmin,
  causeOf,
  onOpen,
  onClose,
}: {
  entry: AuditLogEvent | undefined;
  /** The entries that the list shows before and behind it. */
  neighbours: { readonly previous?: AuditLogEvent | undefined; readonly next?: AuditLogEvent | undefined };
  isOpen: boolean;
  names: ActorNames;
  isAdmin: boolean;
  causeOf?: ((entry: AuditLogEvent) => ReactNode) | undefined;
  onOpen: (entry: AuditLogEvent) => void;
  onClose: () => void;
}) {
  const stepTo = (to: AuditLogEvent | undefined) => to && (() => onOpen(to));
  return (
    <Drawer
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      above={
        entry && (
          <>
            <RelativeTime at={entry.createdAt} />, <AbsoluteTime at={entry.createdAt} />
          </>
        )
      }
      title={
        entry === undefined ? terms.sections.log : <AuditSentence entry={entry} known={{ names, isAdmin }} />
      }
      onStep={{ previous: stepTo(neighbours.previous), next: stepTo(neighbours.next) }}
    >
      {entry === undefined ? (
        <p className="text-body text-ink2">{logCopy.gone}</p>
      ) : (
        <>
          <Entry entry={entry} context={{ data: entry.data, names, isAdmin }} />
          {causeOf?.(entry)}
        </>
      )}
    </Drawer>
  );
}

function Entry({ entry, context }: { entry: AuditLogEvent; context: IdContext }) {
  const { eventId, event, actor, action, job, data } = entry;
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-4.5">
        <Properties
          items={[
            { name: words.id, value: <IdTag value={eventId} what={logCopy.entryWhat} length={24} /> },
            { name: words.type, value: <span className="font-mono text-small">{event}</span> },
            { name: words.actor, value: <ActorView actor={actor} context={context} onFilter={undefined} /> },
            ...idsOf(data).map(([name, id]) => ({
              key: name,
              name: nameOfId(name),
              value: <SubjectOfEntry id={id} context={context} />,
            })),
            {
              name: words.cause,
              value: (action ?? job) && (
                <Cause action={action?.actionId} job={job?.jobId} context={context} length={24} />
              ),
            },
          ]}
        />
      </div>
      <RawJson row={data as object} what={logCopy.rawWhat} title={words.data} />
    </div>
  );
}

/** An id of the data, with the name of what it is of if that is known. */
function SubjectOfEntry({ id, context }: { id: string; context: IdContext }) {
  const name = context.names.get(id);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {name !== undefined && <span className="font-head">{name}</span>}
      <LinkedId id={id} context={context} length={name === undefined ? 24 : 12} />
    </span>
  );
}

function idsOf(data: unknown): [string, string][] {
  return Object.entries(data as Record<string, unknown>).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && idKindOf(pair[1]) !== undefined,
  );
}

/** `deploymentTokenId` as "Deployment token". */
function nameOfId(key: string): string {
  const words = key
    .replace(/Id$/u, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
