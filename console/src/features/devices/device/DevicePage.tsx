import type { Id, Output } from '@corral/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notFound, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deviceCopy } from './copy.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { inHubTime } from '../../../data/hub-clock.ts';
import { isNotFound } from '../../../data/query-client.ts';
import { devicePropertiesQuery, deviceQuery } from '../queries.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { DeviceBadge } from '../../../ui/badge/DeviceBadge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { DeviceAlerts } from '../../../parts/alerts/DeviceAlerts.tsx';
import { MuteDeviceButton } from '../../../parts/alerts/MuteDeviceButton.tsx';
import { confirm } from '../../../parts/confirm.ts';
import { deletionQuestion } from '../../../parts/deletion.tsx';
import { useVisit } from '../../../parts/recent-items.ts';
import { omitUndefined } from '../../../parts/search-values.ts';
import { PageTabs } from '../../../parts/PageTabs.tsx';
import { terminalCopy } from '../../../parts/terminal/copy.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { deletion, type DeviceToDelete } from '../device-deletion.ts';
import { useListedDevice } from '../use-listed-device.ts';
import type { DevicesSearch } from '../device-view.ts';
import { DeviceLabels } from '../labels/DeviceLabels.tsx';
import { deviceName, type ListedDevice } from '../../../parts/listed-device.ts';
import { ConnectionCard } from './ConnectionCard.tsx';
import { DeviceFacts } from './DeviceFacts.tsx';
import { DeviceTab } from './DeviceTab.tsx';
import { DeviceNeighbours } from './DeviceNeighbours.tsx';
import type { EventsSearch } from './events-search.ts';
import { HttpProxyButton } from './HttpProxyButton.tsx';
import { deviceOperationsCopy } from './operations/copy.ts';
import { OperationsTab } from './operations/OperationsTab.tsx';
import { newestSystemInfo } from './system-info.ts';
import { timelineCopy as words } from './timeline/copy.ts';
import type { TimelineSearch } from './timeline/timeline-search.ts';
import { TimelineTab } from './timeline/TimelineTab.tsx';
import { TerminalTab } from './terminal/TerminalTab.tsx';
import { SharedIdentityNotice } from './SharedIdentityNotice.tsx';

interface DevicePageProps {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  /** The search of the list that the page was opened from. */
  readonly search: DevicesSearch;
  readonly eventsSearch: EventsSearch;
  readonly onEventsSearchChange: (search: EventsSearch) => void;
  readonly timelineSearch: TimelineSearch;
  readonly onTimelineSearchChange: (search: TimelineSearch) => void;
}

/** The page of a device. Its header shows at once from the cached list; each card loads, and fails, on its own. */
export function DevicePage({
  projectId,
  deviceId,
  search,
  eventsSearch,
  onEventsSearchChange,
  timelineSearch,
  onTimelineSearchChange,
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
  const { span, tab } = timelineSearch;
  const spanSearch = omitUndefined({ span });
  const run = useRun();
  const navigate = useNavigate();
  async function remove(): Promise<void> {
    setIsDeleting(true);
    if (!(await askToDelete(run, { deviceId, name: summary?.name, hostname }, leave))) setIsDeleting(false);
  }
  return (
    <Page>
      <DeviceHeader {...{ projectId, deviceId, search, summary, name }} sinceMs={stateSince(details, row)} />
      <DeviceLabels {...{ projectId, deviceId }} metadata={details?.metadata} />
      <DeviceAlerts {...{ projectId, deviceId }} />
      <SharedIdentityNotice connections={details?.connections} />
      <div className="flex flex-col gap-4">
        <ConnectionCard
          {...cardProps}
          // When the device was first seen is only in the list: before, the card cannot say since when it tells.
          details={isReading ? undefined : details}
          firstSeen={row?.firstSeen}
          span={span}
          onSpanChange={(next) =>
            // The tab stays open, and so does what it shows.
            tab !== undefined
              ? onTimelineSearchChange(omitUndefined({ ...timelineSearch, span: next }))
              : onEventsSearchChange(omitUndefined({ ...eventsSearch, span: next }))
          }
          onOpenTime={(untilMs) =>
            void navigate({
              to: '.',
              search: { ...search, ...spanSearch, tab: 'timeline', at: new Date(untilMs).toISOString() },
              resetScroll: false,
            })
          }
        />
        <DeviceTabs {...{ tab }} search={{ ...search, ...spanSearch }} />
        {tab === 'operations' ? (
          <OperationsTab
            {...{ projectId, deviceId }}
            isConnected={summary?.isConnected === true}
            search={timelineSearch}
            onSearchChange={onTimelineSearchChange}
          />
        ) : tab === 'timeline' ? (
          <TimelineTab
            {...{ projectId, deviceId }}
            search={timelineSearch}
            onSearchChange={onTimelineSearchChange}
          />
        ) : tab === 'terminal' ? (
          <TerminalTab
            {...{ projectId, deviceId, name }}
            session={timelineSearch.session}
            onSessionChange={(session) => onTimelineSearchChange(omitUndefined({ tab, session }))}
          />
        ) : (
          <DeviceTab
            {...cardProps}
            name={summary?.name}
            eventsSearch={eventsSearch}
            onEventsSearchChange={onEventsSearchChange}
            deletion={<DeleteCard isReady={summary !== undefined} onDelete={() => void remove()} />}
          />
        )}
      </div>
    </Page>
  );
}

/** The parts of the page; each keeps the search of the list, and the span of the strip. */
function DeviceTabs({ tab, search }: { tab: TimelineSearch['tab'] | undefined; search: DevicesSearch }) {
  return (
    <PageTabs
      label={words.tabs.label}
      tabs={[
        { name: words.tabs.device, link: { to: '.', search }, isOpen: tab === undefined },
        {
          name: words.tabs.timeline,
          link: { to: '.', search: { ...search, tab: 'timeline' as const } },
          isOpen: tab === 'timeline',
        },
        {
          name: deviceOperationsCopy.tab,
          link: { to: '.', search: { ...search, tab: 'operations' as const } },
          isOpen: tab === 'operations',
        },
        {
          name: terminalCopy.tab,
          link: { to: '.', search: { ...search, tab: 'terminal' as const } },
          isOpen: tab === 'terminal',
        },
      ]}
    />
  );
}

function DeviceHeader({
  projectId,
  deviceId,
  search,
  summary,
  name,
  sinceMs,
}: Pick<DevicePageProps, 'projectId' | 'deviceId' | 'search'> & {
  sinceMs: number | undefined;
  summary: { readonly name?: string | undefined; readonly isConnected: boolean } | undefined;
  name: string;
}) {
  return (
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
      badges={summary !== undefined && <DeviceBadge isConnected={summary.isConnected} sinceMs={sinceMs} />}
      meta={<DeviceFacts deviceId={deviceId} />}
      actions={
        <>
          <DeviceNeighbours {...{ projectId, deviceId, search }} />
          <MuteDeviceButton {...{ projectId, deviceId, name }} />
          <HttpProxyButton deviceId={deviceId} isConnected={summary?.isConnected === true} />
        </>
      }
    />
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

/** The hostname in the system information of a device, whose details do not have it. */
function useReportedHostname(deviceId: Id<'device'>): string | undefined {
  const { data } = useQuery(devicePropertiesQuery(deviceId));
  return newestSystemInfo(data?.properties ?? {})?.info.hostname;
}
