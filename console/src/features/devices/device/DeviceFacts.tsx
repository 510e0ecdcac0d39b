import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { terms } from '../../../copy/terms.ts';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { devicePropertiesQuery } from '../queries.ts';
import { deviceCopy } from './copy.ts';
import { installedSoftware } from './installed-software.ts';
import { newestSystemInfo, type SystemInfo } from './system-info.ts';

const words = deviceCopy.facts;
/** From this share on, a disk is nearly full. */
const nearlyFull = 0.9;

/** What people look for first: the id of a device, its software, its system, its address, and how full its fullest disk is. */
export function DeviceFacts({ deviceId }: { deviceId: Id<'device'> }) {
  const { data } = useQuery(devicePropertiesQuery(deviceId));
  const software = installedSoftware(data?.properties ?? {});
  const info = newestSystemInfo(data?.properties ?? {})?.info;
  const system = [info?.name, info?.version].filter((part) => part !== undefined).join(' ');
  const address = info && addressOf(info);
  const share = info && fullestShare(info);
  return (
    <span className="flex min-h-6.5 flex-wrap items-center gap-x-2 gap-y-1 text-body *:not-last:after:ms-2 *:not-last:after:inline-block *:not-last:after:size-0.75 *:not-last:after:rounded-full *:not-last:after:bg-ink3 *:not-last:after:align-middle">
      <span>
        <IdTag value={deviceId} what={terms.ids.device} length={18} />
      </span>
      {software !== undefined && <span className="font-head text-ink wrap-anywhere">{software}</span>}
      {system !== '' && <span>{system}</span>}
      {address !== undefined && (
        <span dir="ltr" className="font-mono text-mono">
          {address}
        </span>
      )}
      {share !== undefined && (
        <span>
          {words.disk}{' '}
          <b className={share >= nearlyFull ? 'font-head text-danger' : 'font-head text-ink'}>
            {Math.round(share * 100)} %
          </b>
        </span>
      )}
    </span>
  );
}

/** The first address by which others reach it, without the size of its network. */
function addressOf({ networks }: SystemInfo): string | undefined {
  const addresses = networks.flatMap(({ ipAddresses }) =>
    ipAddresses.map((one) => one.replace(/\/.*$/u, '')),
  );
  return addresses.find((one) => !/^(?:127\.|169\.254\.|::1$|fe80:)/iu.test(one));
}

function fullestShare({ disks }: SystemInfo): number | undefined {
  const shares = disks
    .filter(({ totalSpace }) => totalSpace > 0)
    .map(({ totalSpace, availableSpace }) => Math.min(1, Math.max(0, 1 - availableSpace / totalSpace)));
  return shares.length === 0 ? undefined : Math.max(...shares);
}
