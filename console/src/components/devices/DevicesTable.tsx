import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { enDevices } from '../../copy/en-devices.ts';
import { formatSort } from '../../ui/table/data-table.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ArrivalsPill } from '../ArrivalsPill.tsx';
import { CopyLinkButton } from '../CopyLinkButton.tsx';
import { compact } from '../search-values.ts';
import { useArrivals } from '../use-arrivals.ts';
import { useQuestion } from '../use-question.ts';
import { useTinted } from '../use-tinted.ts';
import { useUrlChoice } from '../use-url-choice.ts';
import { useUrlText } from '../use-url-text.ts';
import { DeleteDeviceDialog } from './DeleteDeviceDialog.tsx';
import { deviceColumns } from './device-columns.tsx';
import { DeviceChips } from './DeviceChips.tsx';
import { ListSearchContext } from './DeviceLink.tsx';
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
  const [sort, setSort] = useUrlChoice(search.sort, (next) =>
    onSearchChange(compact({ ...search, sort: next })),
  );
  const [isReading, setIsReading] = useState(false);
  const { shown, waiting, show } = useArrivals(devices, keyOf, isReading);
  const rows = useMemo(() => shown.filter((device) => isInView(device, view)), [shown, view]);
  const columns = useMemo(() => deviceColumns(projectId), [projectId]);
  const isChanged = useTinted(shown, keyOf, printOf);
  const renaming = useQuestion<ListedDevice>();
  const deleting = useQuestion<ListedDevice>();
  const { ask: askName } = renaming;
  const { ask: askDelete } = deleting;
  const rowMenu = useCallback(
    (device: ListedDevice) => <DeviceRowMenu device={device} onRename={askName} onDelete={askDelete} />,
    [askName, askDelete],
  );
  const open = useCallback(
    ({ deviceId }: ListedDevice) =>
      void navigate({
        to: '/projects/$projectId/devices/$deviceId',
        params: { projectId, deviceId },
        search,
      }),
    [navigate, projectId, search],
  );
  return (
    // The pointer of a mouse over the table is somebody about to press something in it.
    <div
      onPointerEnter={({ pointerType }) => setIsReading(pointerType === 'mouse')}
      onPointerLeave={() => setIsReading(false)}
    >
      <ArrivalsPill text={waiting > 0 ? enDevices.arrivals(waiting) : undefined} onShow={show} />
      <ListSearchContext value={search}>
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
          sort={sortOf(sort)}
          onSortChange={(next) => setSort(formatSort(next))}
          aside={<CopyLinkButton />}
          csvName={enDevices.csvName}
          onOpen={open}
          rowMenu={rowMenu}
          isChanged={isChanged}
          empty={null}
        />
      </ListSearchContext>
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
