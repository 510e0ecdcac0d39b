import { DeviceDots } from '../../ui/picture/DeviceDots.tsx';
import type { DotState } from '../../ui/picture/dot-states.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';

const fewDevices = 36;

/** The devices of a list as dots, in the order of the list. */
export function DeviceListDots({ devices }: { devices: readonly ListedDevice[] }) {
  const isFew = devices.length <= fewDevices;
  return (
    <DeviceDots
      counts={{
        total: devices.length,
        connected: devices.filter(({ isConnected }) => isConnected).length,
        pending: devices.filter(({ pendingCertificatesCount }) => pendingCertificatesCount > 0).length,
      }}
      dots={devices.map(dotOf)}
      columns={isFew ? Math.min(12, devices.length) : 24}
      className={isFew ? 'max-w-36' : 'max-w-56'}
    />
  );
}

function dotOf({ isConnected, pendingCertificatesCount }: ListedDevice): DotState {
  if (pendingCertificatesCount > 0) return 'pending';
  return isConnected ? 'connected' : 'disconnected';
}
