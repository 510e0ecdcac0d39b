import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import type { DeviceSearch } from '../../parts/device-filters.ts';

/** A number of devices that leads to the list of them. */
export function DeviceCount({
  projectId,
  count,
  search,
  label,
}: {
  projectId: Id<'project'>;
  count: number;
  search: DeviceSearch;
  /** Its name where the text beside it is not read with it. */
  label?: string | undefined;
}) {
  return (
    <Link
      to="/projects/$projectId/devices"
      params={{ projectId }}
      search={search}
      aria-label={label && `${count.toLocaleString('en')} ${label}`}
      className="number-link"
    >
      {count.toLocaleString('en')}
    </Link>
  );
}
