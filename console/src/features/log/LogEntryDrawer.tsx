import type { AuditLogEvent } from '@corral/contract';
import type { ReactNode } from 'react';
import { logCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { Properties } from '../../ui/layout/Properties.tsx';
import { Drawer } from '../../ui/overlay/Drawer.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { AbsoluteTime } from '../../ui/time/AbsoluteTime.tsx';
import { ActorView } from '../../parts/ActorView.tsx';
import { DataBadges } from '../../parts/DataBadges.tsx';
import type { IdContext } from '../../parts/id-path.ts';
import { Cause } from './log-columns.tsx';
import { RawJson } from './RawJson.tsx';
import type { ActorNames } from '../../parts/use-actor-names.ts';

const words = logCopy.columns;

/** The details of a log entry, with its JSON. */
export function LogEntryDrawer({
  entry,
  isOpen,
  names,
  isAdmin,
  omit,
  causeOf,
  onClose,
}: {
  entry: AuditLogEvent | undefined;
  isOpen: boolean;
  names: ActorNames;
  isAdmin: boolean;
  omit: string;
  causeOf?: ((entry: AuditLogEvent) => ReactNode) | undefined;
  onClose: () => void;
}) {
  return (
    <Drawer
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={<span className="font-mono">{entry?.event ?? terms.sections.log}</span>}
    >
      {entry === undefined ? (
        <p className="text-body text-ink2">{logCopy.gone}</p>
      ) : (
        <>
          <Entry {...{ entry, omit }} context={{ data: entry.data, names, isAdmin }} />
          {causeOf?.(entry)}
        </>
      )}
    </Drawer>
  );
}

function Entry({ entry, omit, context }: { entry: AuditLogEvent; omit: string; context: IdContext }) {
  const { action, job } = entry;
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-4.5">
        <Properties
          items={[
            { name: words.id, value: <IdTag value={entry.eventId} what={logCopy.entryWhat} length={24} /> },
            { name: words.timestamp, value: <AbsoluteTime at={entry.createdAt} className="text-ink" /> },
            {
              name: words.actor,
              value: <ActorView actor={entry.actor} context={context} onFilter={undefined} />,
            },
            { name: words.data, value: <DataBadges context={context} omit={omit} /> },
            {
              name: words.cause,
              value: (action ?? job) && (
                <Cause action={action?.actionId} job={job?.jobId} context={context} length={24} />
              ),
            },
          ]}
        />
      </div>
      <RawJson row={entry} what={logCopy.rawWhat} />
    </div>
  );
}
