import type { ReactNode } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { MetadataCard } from '../../../parts/metadata/MetadataCard.tsx';
import { setMetadata } from '../mutations.ts';
import { CertificatesCard } from './CertificatesCard.tsx';
import { CliCard } from './CliCard.tsx';
import { ConnectionHistoryCard } from './ConnectionHistoryCard.tsx';
import { ConnectionsCard } from './ConnectionsCard.tsx';
import type { DeviceCardProps } from './device-details.ts';
import { EventsCard } from './EventsCard.tsx';
import type { EventsSearch } from './events-search.ts';
import { PropertiesCard } from './PropertiesCard.tsx';
import { RenameDeviceCard } from './RenameDeviceCard.tsx';
import { SystemCard } from './SystemCard.tsx';
import { UsageCard } from './UsageCard.tsx';

/** What a device is, has and says: a card for each; those beside each other end at the same height. */
export function DeviceTab({
  name,
  eventsSearch,
  onEventsSearchChange,
  deletion,
  ...cardProps
}: DeviceCardProps & {
  name: string | undefined;
  eventsSearch: EventsSearch;
  onEventsSearchChange: (search: EventsSearch) => void;
  deletion: ReactNode;
}) {
  const { deviceId, details, error, onRetry } = cardProps;
  const run = useRun();
  return (
    <>
      <TwoColumns
        start={
          <>
            <CertificatesCard {...cardProps} />
            <PropertiesCard deviceId={deviceId} />
            <SystemCard deviceId={deviceId} />
          </>
        }
        end={
          <>
            <RenameDeviceCard deviceId={deviceId} name={name} />
            <MetadataCard
              metadata={details?.metadata}
              {...{ error, onRetry }}
              onChange={(metadata) => run(setMetadata, { deviceId, metadata })}
            />
          </>
        }
      />
      <EventsCard deviceId={deviceId} search={eventsSearch} onSearchChange={onEventsSearchChange} />
      <TwoColumns
        start={
          <>
            <ConnectionsCard {...cardProps} />
            <ConnectionHistoryCard deviceId={deviceId} />
          </>
        }
        end={
          <>
            {details?.usage !== undefined && <UsageCard usage={details.usage} />}
            <CliCard deviceId={deviceId} />
            {deletion}
          </>
        }
      />
    </>
  );
}

/** Two columns where tables fit the wider one, else one. The last card of each grows, so that both end at the same height. */
function TwoColumns({ start, end }: { start: ReactNode; end: ReactNode }) {
  const column = 'flex min-w-0 flex-col gap-4 xl:*:last:grow';
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_23rem]">
      <div className={column}>{start}</div>
      <div className={column}>{end}</div>
    </div>
  );
}
