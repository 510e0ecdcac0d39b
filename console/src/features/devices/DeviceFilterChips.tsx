import { Clock } from 'lucide-react';
import { useMemo } from 'react';
import { devicesCopy } from './copy.ts';
import { StatusDot } from '../../ui/badge/StatusDot.tsx';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import type { DeviceView } from './device-view.ts';
import type { ViewCounts } from './use-listed-devices.ts';

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

/** Filters devices by state, with the number of devices in each state as far as it is known. */
export function DeviceFilterChips({
  counts,
  view,
  onViewChange,
}: {
  counts: ViewCounts;
  view: DeviceView;
  onViewChange: (view: DeviceView) => void;
}) {
  const chips = useMemo(
    () =>
      views.map((value) => ({
        value,
        label: devicesCopy[value],
        icon: icons[value],
        count: counts[value],
      })),
    [counts],
  );
  return <FilterChips label={devicesCopy.filters} value={view} onValueChange={onViewChange} chips={chips} />;
}
