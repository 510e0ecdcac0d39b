import { Clock } from 'lucide-react';
import { useMemo } from 'react';
import { enDevices } from '../../copy/en-devices.ts';
import { StatusDot } from '../../ui/badge/StatusDot.tsx';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import { type DeviceView, isInView, type ListedDevice } from './device-view.ts';

const views: readonly DeviceView[] = ['all', 'connected', 'disconnected', 'pending'];
const icons = {
  all: undefined,
  connected: (
    <span className="flex text-ok">
      <StatusDot />
    </span>
  ),
  disconnected: <StatusDot isHollow />,
  pending: <Clock size={14} aria-hidden />,
};

/** Filters devices by state, with the number of devices in each state. */
export function DeviceFilterChips({
  devices,
  view,
  onViewChange,
}: {
  devices: readonly ListedDevice[];
  view: DeviceView;
  onViewChange: (view: DeviceView) => void;
}) {
  const chips = useMemo(
    () =>
      views.map((value) => ({
        value,
        label: enDevices[value],
        icon: icons[value],
        count: devices.filter((device) => isInView(device, value)).length,
      })),
    [devices],
  );
  return <FilterChips label={enDevices.filters} value={view} onValueChange={onViewChange} chips={chips} />;
}
