import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { PenLine, Trash2 } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { devicesCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { formatSort } from '../../ui/table/data-table.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { RowActionItems } from '../../ui/table/RowActionItems.tsx';
import { NextPage } from '../../parts/NextPage.tsx';
import { NewRowsPill } from '../../parts/NewRowsPill.tsx';
import { CopyLinkButton } from '../../parts/CopyLinkButton.tsx';
import { omitUndefined } from '../../parts/search-values.ts';
import { useBufferedRows } from '../../parts/use-buffered-rows.ts';
import { useDialogTarget } from '../../parts/use-dialog-target.ts';
import { useChangedRows } from '../../parts/use-changed-rows.ts';
import { useUrlChoice } from '../../parts/use-url-choice.ts';
import { useUrlText } from '../../parts/use-url-text.ts';
import { deviceColumns } from './device-columns.tsx';
import { DeviceFilterChips } from './DeviceFilterChips.tsx';
import { ListSearchContext } from './DeviceLink.tsx';
import { type DevicesSearch, searchOfView, sortOf, viewOf } from './device-view.ts';
import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';
import { RenameDeviceDialog } from './RenameDeviceDialog.tsx';
import { useDeleteDevice } from './use-delete-device.ts';
import { isLongList, useListedDevices, type ViewCounts } from './use-listed-devices.ts';

/** The devices of a project as a table; filter, view and sort order are in the URL. */
export function DevicesTable({
  projectId,
  devices,
  counts,
  search,
  onSearchChange,
}: {
  projectId: Id<'project'>;
  /** The first devices of the project. */
  devices: readonly ListedDevice[];
  counts: ViewCounts;
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
    onSearchChange(omitUndefined({ ...search, sort: next })),
  );
  const [isReading, setIsReading] = useState(false);
  const isLong = isLongList(devices);
  // Further pages of a long list come when they are asked for, even while the user reads.
  const { shown, waiting, show } = useBufferedRows(devices, keyOf, isReading && !isLong);
  const listed = useListedDevices(projectId, { first: shown, isLong }, search);
  const { rows } = listed;
  const columns = useMemo(() => deviceColumns(projectId), [projectId]);
  const isChanged = useChangedRows(
    rows,
    keyOf,
    changeKey,
    listed.isServerSide ? JSON.stringify([search, rows.length]) : viewOf(search),
  );
  const renaming = useDialogTarget<ListedDevice>();
  const rowMenu = useRowMenu(renaming.open);
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
    // A mouse over the table means that the user may be about to click a row.
    <div
      onPointerEnter={({ pointerType }) => setIsReading(pointerType === 'mouse')}
      onPointerLeave={() => setIsReading(false)}
    >
      <NewRowsPill text={waiting > 0 ? devicesCopy.newDevices(waiting) : undefined} onShow={show} />
      <ListSearchContext value={search}>
        <DataTable
          label={terms.sections.devices}
          columns={columns}
          rows={rows}
          isServerSide={listed.isServerSide}
          rowKey={keyOf}
          rowName={deviceLabel}
          filter={filter}
          onFilterChange={setFilter}
          filterLabel={devicesCopy.filter}
          filters={
            <DeviceFilterChips
              counts={counts}
              view={view}
              onViewChange={(next) =>
                onSearchChange({
                  ...omitUndefined({ q: search.q, sort: search.sort }),
                  ...searchOfView(next),
                })
              }
            />
          }
          isFiltered={view !== 'all'}
          onClearFilters={() => onSearchChange(omitUndefined({ sort: search.sort }))}
          sort={sortOf(sort)}
          onSortChange={(next) => setSort(formatSort(next))}
          aside={<CopyLinkButton />}
          csvName={devicesCopy.csvName}
          onOpen={open}
          rowMenu={rowMenu}
          isChanged={isChanged}
          empty={null}
        />
        {listed.failure !== undefined && (
          <p role="alert" className="pt-3 text-body text-danger">
            {listed.failure}
          </p>
        )}
        {listed.more !== undefined && <NextPage more={listed.more} />}
      </ListSearchContext>
      <RenameDeviceDialog dialog={renaming} />
    </div>
  );
}

/** The menu of a row: Copy ID, Rename, Delete. */
function useRowMenu(rename: (device: ListedDevice) => void): (device: ListedDevice) => ReactNode {
  const remove = useDeleteDevice();
  return useCallback(
    (device) => (
      <RowActionItems
        id={device.deviceId}
        what={terms.ids.device}
        actions={[
          { label: devicesCopy.rename, icon: <PenLine aria-hidden />, onSelect: () => rename(device) },
          {
            label: terms.delete,
            icon: <Trash2 aria-hidden />,
            tone: 'danger',
            onSelect: () => void remove(device),
          },
        ]}
      />
    ),
    [rename, remove],
  );
}

function keyOf({ deviceId }: ListedDevice): string {
  return deviceId;
}

function changeKey({ name, isConnected, pendingCertificatesCount }: ListedDevice): string {
  return JSON.stringify([name, isConnected, pendingCertificatesCount]);
}
