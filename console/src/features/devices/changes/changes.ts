import type { CallInput, Id, Output } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';

/** What is changed of many devices. */
export type DeviceChange = CallInput<'fleet_PreviewChange'>['change'];
/** A change of many devices with its progress. */
export type RunningChange = Output<'fleet_GetChange'>;
/** The result of a change for one device. */
export type ChangeResult = Output<'fleet_QueryChangeResults'>['results'][number];

/** The devices that are selected: some of them, or all that a filter finds. */
export interface SelectedDevices {
  readonly deviceIds?: readonly Id<'device'>[];
  readonly query?: string;
}

/** The input of a preview, and without its hash of a change. */
export function changeInput(
  projectId: Id<'project'>,
  { deviceIds, query }: SelectedDevices,
  change: DeviceChange,
) {
  return {
    projectId,
    change,
    ...(deviceIds === undefined ? {} : { deviceIds: [...deviceIds] }),
    ...(query === undefined ? {} : { query }),
  };
}

/** What a change would do now. */
export const changePreviewQuery = (input: CallInput<'fleet_PreviewChange'>) =>
  actionQuery('fleet_PreviewChange', input, everyMinute);

/** A change with its progress. */
export const changeQuery = (jobId: Id<'fleetJob'>) => actionQuery('fleet_GetChange', { jobId }, everyMinute);

/** A page of the results of a change. */
export const changeResultsQuery = (
  jobId: Id<'fleetJob'>,
  status: ChangeResult['status'] | undefined,
  after: string | undefined,
) =>
  actionPageQuery(
    'fleet_QueryChangeResults',
    {
      jobId,
      limit: rowsPerPage,
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );
