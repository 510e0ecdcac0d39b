import { Pen } from '../../ui/picture/Pen.tsx';
import type { PenDot } from '../../ui/picture/pen-dots.ts';
import type { ListedDevice } from './device-view.ts';

const fewDevices = 36;

/** The devices of a list as dots, in its order. */
export function DevicePen({ devices }: { devices: readonly ListedDevice[] }) {
  const isFew = devices.length <= fewDevices;
  return (
    <Pen
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

function dotOf({ isConnected, pendingCertificatesCount }: ListedDevice): PenDot {
  if (pendingCertificatesCount > 0) return 'pending';
  return isConnected ? 'connected' : 'disconnected';
}
