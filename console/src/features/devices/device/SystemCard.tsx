import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { deviceCopy } from './copy.ts';
import { devicePropertiesQuery } from '../queries.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { Meter } from '../../../ui/picture/Meter.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { formatBytes, formatPart } from './format-bytes.ts';
import { ShowMore } from './ShowMore.tsx';
import { newestSystemInfo, type SystemInfo } from './system-info.ts';

const words = deviceCopy.system;
const initialPerGroup = 3;

type Item = { name: ReactNode; value: ReactNode; key: string };

/** The system information that the agent reported last. */
export function SystemCard({ deviceId }: { deviceId: Id<'device'> }) {
  const { data, error, refetch } = useQuery(devicePropertiesQuery(deviceId));
  const reported = newestSystemInfo(data?.properties ?? {});
  return (
    <Card
      isFlush
      title={words.title}
      actions={
        reported !== undefined && (
          <RelativeTime at={reported.property.lastUpdated} className="text-body text-ink3" />
        )
      }
    >
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {reported === undefined ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">
            {data === undefined ? words.loading : words.absent}
          </p>
        ) : (
          <System info={reported.info} />
        )}
      </ErrorBoundary>
    </Card>
  );
}

function System({ info }: { info: SystemInfo }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const items = [
    ...systemItems(info),
    ...listed(info.disks, diskItem),
    ...listed(info.networks.filter(isReachable), networkItem),
  ];
  const systemCount = systemItems(info).length;
  // Truncated, because some hosts have dozens of interfaces.
  const isLong = items.length > systemCount + 2 * initialPerGroup;
  const shown = isLong && !isExpanded ? items.slice(0, systemCount + 2 * initialPerGroup) : items;
  return (
    <>
      <Properties layout="two columns" items={shown} />
      {isLong && (
        <ShowMore
          hidden={items.length - shown.length}
          isExpanded={isExpanded}
          onToggle={() => setIsExpanded(!isExpanded)}
        />
      )}
    </>
  );
}

function systemItems({ name, version, kernel, hostname, arch, memory }: SystemInfo): Item[] {
  const system = [name, version].filter((part) => part !== undefined).join(' ');
  return [
    ...text('system', words.system, system === '' ? undefined : system),
    ...text('kernel', words.kernel, kernel, true),
    ...text('hostname', words.hostname, hostname, true),
    ...text('arch', words.arch, arch, true),
    ...(memory === undefined
      ? []
      : [{ key: 'memory', name: words.memory, value: <Bytes bytes={memory.total} /> }]),
  ];
}

function text(key: string, name: string, value: string | undefined, isMono = false): Item[] {
  if (value === undefined) return [];
  return [{ key, name, value: isMono ? <Mono>{value}</Mono> : value }];
}

function listed<Entry>(entries: readonly Entry[], item: (entry: Entry, index: number) => Item): Item[] {
  return entries.map(item);
}

function diskItem(
  { name, mountPoint, totalSpace, availableSpace }: SystemInfo['disks'][number],
  index: number,
) {
  const used = Math.max(0, totalSpace - availableSpace);
  const label = mountPoint ?? name;
  const amount = words.used(formatPart(used, totalSpace), formatBytes(totalSpace));
  return {
    key: `disk-${index}`,
    name: words.disk,
    value: (
      <div className="flex flex-col gap-1.5">
        <div className="flex flex-wrap justify-between gap-x-3">
          <Mono>{label}</Mono>
          <span className="tabular text-ink3">{amount}</span>
        </div>
        <Meter label={words.usedLabel(label)} value={used} max={totalSpace} text={amount} />
      </div>
    ),
  };
}

function networkItem({ name, macAddress, ipAddresses }: SystemInfo['networks'][number], index: number) {
  return {
    key: `network-${index}`,
    name: words.network,
    value: (
      <div className="flex flex-col">
        <Mono>{name}</Mono>
        {[...ipAddresses, macAddress].map(
          (address) =>
            address !== undefined && (
              <span key={address} dir="ltr" className="font-mono text-mono wrap-anywhere text-ink3">
                {address}
              </span>
            ),
        )}
      </div>
    ),
  };
}

// Loopback interfaces are not reachable from elsewhere.
function isReachable({ ipAddresses }: SystemInfo['networks'][number]): boolean {
  return ipAddresses.length === 0 || ipAddresses.some((address) => !/^(127\.|::1(\/|$))/u.test(address));
}

function Bytes({ bytes }: { bytes: number }) {
  return (
    <span className="tabular" title={`${bytes} bytes`}>
      {formatBytes(bytes)}
    </span>
  );
}

function Mono({ children }: { children: string }) {
  return (
    <span dir="ltr" className="font-mono text-mono wrap-anywhere">
      {children}
    </span>
  );
}
