import type { Id, Output } from '@corral/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notFound, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { deviceCopy } from './copy.ts';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { inHubTime } from '../../../data/hub-clock.ts';
import { isNotFound } from '../../../data/query-client.ts';
import { devicePropertiesQuery, deviceQuery } from '../queries.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { DeviceBadge } from '../../../ui/badge/DeviceBadge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { confirm } from '../../../parts/confirm.ts';
import { deletionQuestion } from '../../../parts/deletion.tsx';
import { useVisit } from '../../../parts/recent-items.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { deletion, type DeviceToDelete } from '../device-deletion.ts';
import { useListedDevice } from '../use-listed-device.ts';
import type { DevicesSearch } from '../device-view.ts';
import { deviceName, type ListedDevice } from '../../../parts/listed-device.ts';
import { CertificatesCard } from './CertificatesCard.tsx';
import { CliCard } from './CliCard.tsx';
import { ConnectionCard } from './ConnectionCard.tsx';
import { ConnectionHistoryCard } from './ConnectionHistoryCard.tsx';
import { ConnectionsCard } from './ConnectionsCard.tsx';
import { DeviceNeighbours } from './DeviceNeighbours.tsx';
import { EventsCard } from './EventsCard.tsx';
import type { EventsSearch } from './events-search.ts';
import { HttpProxyButton } from './HttpProxyButton.tsx';
import { MetadataCard } from './MetadataCard.tsx';
import { PropertiesCard } from './PropertiesCard.tsx';
import { RenameDeviceCard } from './RenameDeviceCard.tsx';
import { newestSystemInfo } from './system-info.ts';
import { SharedIdentityNotice } from './SharedIdentityNotice.tsx';
import { SystemCard } from './SystemCard.tsx';
import { UsageCard } from './UsageCard.tsx';

interface DevicePageProps {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  /** The search of the list that the page was opened from. */
  readonly search: DevicesSearch;
  readonly eventsSearch: EventsSearch;
  readonly onEventsSearchChange: (search: EventsSearch) => void;
}

/** The page of a device. Its header shows at once from the cached list; each card loads, and fails, on its own. */
export function DevicePage({
  projectId,
  deviceId,
  search,
  eventsSearch,
  onEventsSearchChange,
}: DevicePageProps) {
  const leave = useLeave(projectId, deviceId, search);
  const [isDeleting, setIsDeleting] = useState(false);
  const { device: row, isReading } = useListedDevice(projectId, deviceId);
  const { data: details, error, dataUpdatedAt, refetch } = useQuery(deviceQuery(deviceId));
  // During the deletion from this page "not found" is expected until the navigation ends.
  if (isNotFound(error) && !isDeleting) throw notFound();
  const summary = details ?? row;
  const hostname = useReportedHostname(deviceId) ?? row?.hostname;
  const name = deviceName({ name: summary?.name, hostname });
  useVisit({ kind: 'device', id: deviceId, name: summary && name, scopeId: projectId });
  const cardProps = {
    projectId,
    deviceId,
    details,
    readAtMs: inHubTime(dataUpdatedAt),
    error: details === undefined ? error : undefined,
    onRetry: () => void refetch(),
  };
  const run = useRun();
  async function remove(): Promise<void> {
    setIsDeleting(true);
    if (!(await askToDelete(run, { deviceId, name: summary?.name, hostname }, leave))) setIsDeleting(false);
  }
  return (
    <Page>
      <SectionHeader
        title={
          summary === undefined ? (
            deviceId
          ) : (
            <span className={name === summary.name ? '' : 'text-ink3'}>{name}</span>
          )
        }
        name={name}
        search={search}
        badges={
          <>
            {summary !== undefined && (
              <DeviceBadge isConnected={summary.isConnected} sinceMs={stateSince(details, row)} />
            )}
            <IdTag value={deviceId} what={terms.ids.device} length={18} />
          </>
        }
        actions={
          <>
            <DeviceNeighbours {...{ projectId, deviceId, search }} />
            <HttpProxyButton deviceId={deviceId} isConnected={summary?.isConnected === true} />
          </>
        }
      />
      <SharedIdentityNotice connections={details?.connections} />
      <div className="flex flex-col gap-5">
        <TwoColumns
          start={
            <>
              <ConnectionCard
                {...cardProps}
                // When the device was first seen is only in the list: before, the card cannot say since when it tells.
                details={isReading ? undefined : details}
                firstSeen={row?.firstSeen}
              />
              <CertificatesCard {...cardProps} />
              <PropertiesCard deviceId={deviceId} />
            </>
          }
          end={
            <>
              <RenameDeviceCard deviceId={deviceId} name={summary?.name} />
              <SystemCard deviceId={deviceId} />
              <MetadataCard {...cardProps} />
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
              <DeleteCard isReady={summary !== undefined} onDelete={() => void remove()} />
            </>
          }
        />
      </div>
    </Page>
  );
}

/** Resolves to whether the device was deleted; `leave` runs before the dialog closes. */
function askToDelete(run: Run, device: DeviceToDelete, leave: () => Promise<void>): Promise<boolean> {
  const perform: typeof deletion.perform = (...one) => deletion.perform(...one).then(leave);
  return confirm(deletionQuestion(run, { ...deletion, perform }, device));
}

/** Returns a function that opens the list and forgets the device. */
function useLeave(
  projectId: Id<'project'>,
  deviceId: Id<'device'>,
  search: DevicesSearch,
): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate({ to: '/projects/$projectId/devices', params: { projectId }, search });
    client.removeQueries({ queryKey: deviceQuery(deviceId).queryKey });
  };
}

function DeleteCard({ isReady, onDelete }: { isReady: boolean; onDelete: () => void }) {
  return (
    <Card title={deviceCopy.danger.title} tone="danger" className="print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="text-body text-ink2">{deviceCopy.danger.text}</p>
        <Button variant="danger" isWrite disabled={!isReady} onClick={onDelete}>
          {deviceCopy.danger.verb}
        </Button>
      </div>
    </Card>
  );
}

/** Since when a device is connected, or not: what the hub has told of it so far. */
function stateSince(
  details: Output<'devices_GetDeviceDetails'> | undefined,
  row: ListedDevice | undefined,
): number | undefined {
  if (details === undefined) return undefined;
  const times = details.connections.map(({ connectedAt }) => Date.parse(connectedAt));
  if (details.isConnected) return times.length === 0 ? undefined : Math.min(...times);
  return row?.lastSeenAt === undefined ? undefined : Date.parse(row.lastSeenAt);
}

/** Two columns where tables fit the wider one, else one. */
function TwoColumns({ start, end }: { start: ReactNode; end: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22.5rem]">
      <div className="flex min-w-0 flex-col gap-5">{start}</div>
      <div className="flex min-w-0 flex-col gap-5">{end}</div>
    </div>
  );
}

/** The hostname in the system information of a device, whose details do not have it. */
function useReportedHostname(deviceId: Id<'device'>): string | undefined {
  const { data } = useQuery(devicePropertiesQuery(deviceId));
  return newestSystemInfo(data?.properties ?? {})?.info.hostname;
}
