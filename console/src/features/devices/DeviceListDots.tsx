import { DeviceDots } from '../../ui/picture/DeviceDots.tsx';
import type { DeviceCounts, DotState } from '../../ui/picture/dot-states.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';

const fewDevices = 36;

/** The devices of a list as dots, in the order of the list where it is all there. */
export function DeviceListDots({
  devices,
  counts,
}: {
  devices: readonly ListedDevice[];
  counts: DeviceCounts & { total: number };
}) {
  const isFew = devices.length <= fewDevices;
  return (
    <DeviceDots
      counts={counts}
      dots={devices.length === counts.total ? devices.map(dotOf) : undefined}
      columns={isFew ? Math.min(12, devices.length) : 24}
      className={isFew ? 'max-w-36' : 'max-w-56'}
    />
  );
}

function dotOf({ isConnected, pendingCertificatesCount }: ListedDevice): DotState {
  if (pendingCertificatesCount > 0) return 'pending';
  return isConnected ? 'connected' : 'disconnected';
}
