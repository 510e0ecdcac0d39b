import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, PenLine } from 'lucide-react';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { devicesCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { deleteRow } from '../../parts/deletion.tsx';
import type { SearchFieldProps } from '../../ui/form/SearchField.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { FilterMistake } from '../../ui/table/MistakeInFilter.tsx';
import { RowActionItems } from '../../ui/table/RowActionItems.tsx';
import { NextPage } from '../../parts/NextPage.tsx';
import { NewRowsPill } from '../../parts/NewRowsPill.tsx';
import { CopyLinkItem } from '../../parts/CopyLinkItem.tsx';
import { omitUndefined } from '../../parts/search-values.ts';
import { useDialogTarget } from '../../parts/use-dialog-target.ts';
import { useChangedRows } from '../../parts/use-changed-rows.ts';
import { deletion } from './device-deletion.ts';
import { deviceColumns } from './device-columns.tsx';
import { LabelDialog, type LabelTask } from './labels/LabelDialog.tsx';
import { MatchCount } from './MatchCount.tsx';
import { DeviceFilterField } from '../../parts/device-filter/DeviceFilterField.tsx';
import { DeviceFilterChips } from './DeviceFilterChips.tsx';
import { ListSearchContext } from './DeviceLink.tsx';
import { type DevicesSearch, searchOfView, viewOf, withoutFilters } from './device-view.ts';
import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';
import { RenameDeviceDialog } from './RenameDeviceDialog.tsx';
import { deviceListQueryOf } from './device-list-query.ts';
import type { SelectedDevices } from './changes/changes.ts';
import { type PlainChange, PlainChangeDialog } from './changes/PlainChangeDialog.tsx';
import { RenameDevicesDialog } from './changes/RenameDevicesDialog.tsx';
import { RotateDialog } from './rotation/RotateDialog.tsx';
import { ReviewPendingDialog } from './ReviewPendingDialog.tsx';
import { useBulkActions } from './use-bulk-actions.tsx';
import { SavedViewItems } from './SavedViewItems.tsx';
import { SaveViewDialog } from './SaveViewDialog.tsx';
import { useDeviceListSearch } from './use-device-list-search.ts';
import { deviceCountQuery } from './queries.ts';
import { isLongList, type ListedDevices, useListedDevices, type ViewCounts } from './use-listed-devices.ts';

/** The devices of a project as a table; filter, view, sort order and columns are in the URL. */
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
  const table = useDeviceListSearch(search, onSearchChange);
  const [isReading, setIsReading] = useState(false);
  const views = useSavedViews(projectId, search);
  const first = { first: devices, isLong: isLongList(devices) };
  const listed = useListedDevices(projectId, first, search, isReading);
  const { rows, failure, isServerSide, onRowsInSight, readAllRows, waiting } = listed;
  const filterField = useFilterField(projectId, listed.mistake);
  const columns = useMemo(() => deviceColumns(projectId), [projectId]);
  const isChanged = useChangedRows(
    rows,
    keyOf,
    changeKey,
    isServerSide ? JSON.stringify([search, rows?.length]) : viewOf(search),
  );
  const renaming = useDialogTarget<ListedDevice>();
  const bulk = useBulkDialogs(projectId, deviceListQueryOf(search).filter ?? 'all', listed);
  // Deferred, so that a click on a head or a chip shows before all rows get their new links.
  const linked = useDeferredValue(search);
  const open = useCallback(
    ({ deviceId }: ListedDevice) =>
      void navigate({
        to: '/projects/$projectId/devices/$deviceId',
        params: { projectId, deviceId },
        search: linked,
      }),
    [navigate, projectId, linked],
  );
  const rowMenu = useRowMenu(open, renaming.open);
  return (
    // A mouse over the table means that the user may be about to click a row.
    <div
      onPointerEnter={({ pointerType }) => setIsReading(pointerType === 'mouse')}
      onPointerLeave={() => setIsReading(false)}
    >
      <NewRowsPill text={waiting > 0 ? devicesCopy.newDevices(waiting) : undefined} onShow={listed.show} />
      <ListSearchContext value={linked}>
        <DataTable
          {...table}
          label={terms.sections.devices}
          {...{ columns, rows, failure, isServerSide, onRowsInSight, readAllRows }}
          rowKey={keyOf}
          rowName={deviceLabel}
          filterLabel={devicesCopy.filter}
          {...filterField}
          filters={
            <>
              <DeviceFilterChips
                counts={counts}
                view={viewOf(search)}
                onViewChange={(next) =>
                  onSearchChange({
                    ...withoutFilters(search),
                    ...omitUndefined({ q: search.q }),
                    ...searchOfView(next),
                  })
                }
              />
              {listed.matches !== undefined && <MatchCount {...{ projectId }} {...listed.matches} />}
            </>
          }
          // The project has devices, so an empty table means that a filter or view hides them.
          isFiltered
          onClearFilters={() => onSearchChange(withoutFilters(search))}
          menu={
            <>
              {views.items}
              <CopyLinkItem />
            </>
          }
          csvName={devicesCopy.csvName}
          onOpen={open}
          {...{ rowMenu, isChanged }}
          bulkActions={bulk.actions}
          allMatching={bulk.allMatching}
          empty={null}
        />
        {listed.alert !== undefined && (
          <p role="alert" className="pt-3 text-body text-danger">
            {listed.alert}
          </p>
        )}
        {listed.more !== undefined && <NextPage more={listed.more} />}
      </ListSearchContext>
      <RenameDeviceDialog dialog={renaming} />
      {views.dialog}
      {bulk.dialogs}
    </div>
  );
}

/** The filter field and the mistake in it, as props of the table. While suggestions show, the filter is unfinished and not called wrong. */
function useFilterField(projectId: Id<'project'>, mistake: FilterMistake | undefined) {
  const [isCompleting, setIsCompleting] = useState(false);
  return {
    filterField: (field: SearchFieldProps) => (
      <DeviceFilterField {...field} {...{ projectId }} onListChange={setIsCompleting} />
    ),
    filterMistake: isCompleting ? undefined : mistake,
  };
}

/** The saved views for the menu of the table, and the dialog that saves one. */
function useSavedViews(projectId: Id<'project'>, search: DevicesSearch) {
  const [open, onOpenChange] = useState(false);
  return {
    items: <SavedViewItems {...{ projectId, search }} onSave={() => onOpenChange(true)} />,
    dialog: <SaveViewDialog {...{ projectId, search, open, onOpenChange }} />,
  };
}

/** How many devices the list has beyond those that were read, in words; undefined where all were read. */
function useMatchingCount(
  projectId: Id<'project'>,
  { more, matches, mistake }: ListedDevices,
  filter: string,
): { readonly label: string; readonly filter: string } | undefined {
  const isWanted = (more !== undefined || matches?.isAll === false) && mistake === undefined;
  const { data } = useQuery({ ...deviceCountQuery(projectId, filter), enabled: isWanted });
  if (!isWanted || data === undefined) return undefined;
  return { label: devicesCopy.allMatching(data.count, data.isAll), filter };
}

/** The actions on selected devices, and the dialogs that they open. */
function useBulkDialogs(projectId: Id<'project'>, query: string, listed: ListedDevices) {
  const renaming = useDialogTarget<SelectedDevices>();
  const changing = useDialogTarget<PlainChange>();
  const rotating = useDialogTarget<SelectedDevices>();
  const labelling = useDialogTarget<LabelTask>();
  const reviewing = useDialogTarget<readonly ListedDevice[]>();
  const dialogs = (
    <>
      <RenameDevicesDialog {...{ projectId }} dialog={renaming} />
      <PlainChangeDialog {...{ projectId }} dialog={changing} />
      <RotateDialog {...{ projectId }} dialog={rotating} />
      <LabelDialog {...{ projectId }} dialog={labelling} />
      <ReviewPendingDialog
        projectId={projectId}
        deviceIds={reviewing.target?.map(({ deviceId }) => deviceId)}
        open={reviewing.isOpen}
        onOpenChange={reviewing.close}
      />
    </>
  );
  return {
    allMatching: useMatchingCount(projectId, listed, query),
    actions: useBulkActions(projectId, query, {
      rename: renaming.open,
      label: labelling.open,
      review: reviewing.open,
      change: changing.open,
      rotate: rotating.open,
    }),
    dialogs,
  };
}

/** The menu of a row: Copy ID, View, Rename, Delete. */
function useRowMenu(
  open: (device: ListedDevice) => void,
  rename: (device: ListedDevice) => void,
): (device: ListedDevice) => ReactNode {
  const run = useRun();
  return useCallback(
    (device) => (
      <RowActionItems
        id={device.deviceId}
        what={terms.ids.device}
        actions={[
          {
            label: devicesCopy.view,
            icon: <ArrowRight aria-hidden className="rtl:-scale-x-100" />,
            isNavigation: true,
            onSelect: () => open(device),
          },
          { label: devicesCopy.rename, icon: <PenLine aria-hidden />, onSelect: () => rename(device) },
          deleteRow(run, deletion, device),
        ]}
      />
    ),
    [open, rename, run],
  );
}

function keyOf({ deviceId }: ListedDevice): string {
  return deviceId;
}

function changeKey({ name, isConnected, pendingCertificatesCount }: ListedDevice): string {
  return JSON.stringify([name, isConnected, pendingCertificatesCount]);
}
