import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { enDevices } from '../../copy/en-devices.ts';
import { formatSort } from '../../ui/table/data-table.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ArrivalsPill } from '../ArrivalsPill.tsx';
import { CopyLinkButton } from '../CopyLinkButton.tsx';
import { compact } from '../search-values.ts';
import { useArrivals } from '../use-arrivals.ts';
import { useQuestion } from '../use-question.ts';
import { useTinted } from '../use-tinted.ts';
import { useUrlText } from '../use-url-text.ts';
import { DeleteDeviceDialog } from './DeleteDeviceDialog.tsx';
import { deviceColumns } from './device-columns.tsx';
import { DeviceChips } from './DeviceChips.tsx';
import {
  deviceCall,
  type DevicesSearch,
  isInView,
  type ListedDevice,
  searchOfView,
  sortOf,
  viewOf,
} from './device-view.ts';
import { DeviceRowMenu } from './DeviceRowMenu.tsx';
import { RenameDeviceDialog } from './RenameDeviceDialog.tsx';

/** The devices of a project as a table whose filter, view and order are in the URL. */
export function DevicesTable({
  projectId,
  devices,
  search,
  onSearchChange,
}: {
  projectId: Id<'project'>;
  devices: readonly ListedDevice[];
  search: DevicesSearch;
  onSearchChange: (search: DevicesSearch) => void;
}) {
  const navigate = useNavigate();
  const view = viewOf(search);
  const [filter, setFilter] = useUrlText(search.q ?? '', (q) => {
    const { q: _former, ...rest } = search;
    onSearchChange(q === '' ? rest : { ...rest, q });
  });
  const [isReading, setIsReading] = useState(false);
  const { shown, waiting, show } = useArrivals(devices, keyOf, isReading);
  const rows = useMemo(() => shown.filter((device) => isInView(device, view)), [shown, view]);
  const columns = useMemo(() => deviceColumns(projectId, search), [projectId, search]);
  const isChanged = useTinted(shown, keyOf, printOf);
  const renaming = useQuestion<ListedDevice>();
  const deleting = useQuestion<ListedDevice>();
  return (
    // The pointer of a mouse over the table is somebody about to press something in it.
    <div
      onPointerEnter={({ pointerType }) => setIsReading(pointerType === 'mouse')}
      onPointerLeave={() => setIsReading(false)}
    >
      <ArrivalsPill text={waiting > 0 ? enDevices.arrivals(waiting) : undefined} onShow={show} />
      <DataTable
        label={enDevices.title}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowName={deviceCall}
        filter={filter}
        onFilterChange={setFilter}
        filterLabel={enDevices.filter}
        filters={
          <DeviceChips
            devices={devices}
            view={view}
            onViewChange={(next) =>
              onSearchChange({ ...compact({ q: search.q, sort: search.sort }), ...searchOfView(next) })
            }
          />
        }
        isFiltered={view !== 'all'}
        onClearFilters={() => onSearchChange(compact({ sort: search.sort }))}
        sort={sortOf(search.sort)}
        onSortChange={(sort) => onSearchChange(compact({ ...search, sort: formatSort(sort) }))}
        aside={<CopyLinkButton />}
        csvName={enDevices.csvName}
        onOpen={({ deviceId }) =>
          void navigate({
            to: '/projects/$projectId/devices/$deviceId',
            params: { projectId, deviceId },
            search,
          })
        }
        rowMenu={(device) => (
          <DeviceRowMenu device={device} onRename={renaming.ask} onDelete={deleting.ask} />
        )}
        isChanged={isChanged}
        empty={null}
      />
      <RenameDeviceDialog projectId={projectId} question={renaming} />
      <DeleteDeviceDialog
        projectId={projectId}
        device={deleting.subject}
        isOpen={deleting.isOpen}
        onClose={deleting.close}
      />
    </div>
  );
}

function keyOf({ deviceId }: ListedDevice): string {
  return deviceId;
}

function printOf({ name, isConnected, pendingCertificatesCount }: ListedDevice): string {
  return JSON.stringify([name, isConnected, pendingCertificatesCount]);
}
