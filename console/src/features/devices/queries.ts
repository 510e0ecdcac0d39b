import type { Id, timelineKinds } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes, everyMinute } from '../../data/intervals.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';

/** The number of events that are read at first. */
export const deviceEventsLimit = 10;
/** The number of further events that are read at a time; each may have 64 KiB. */
export const eventsPerPage = 100;

/** One device with its metadata, certificates and connections. */
export const deviceQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_GetDeviceDetails', { deviceId }, everyMinute);

/** How many devices of a project a filter finds, up to 10,000. */
export const deviceCountQuery = (projectId: Id<'project'>, filter: string) =>
  actionQuery('projects_CountProjectDevices', { projectId, filter }, everyMinute);

/** A page of the certificates of a project, or of some of its devices, that are pending, those that wait longest first: the first one, or that after a cursor. */
export const pendingCertificatesQuery = (
  projectId: Id<'project'>,
  {
    deviceIds,
    after,
  }: { readonly deviceIds?: readonly Id<'device'>[] | undefined; readonly after?: string | undefined },
) =>
  actionPageQuery(
    'projects_QueryPendingCertificates',
    {
      projectId,
      limit: rowsPerPage,
      ...(deviceIds === undefined ? {} : { deviceIds: [...deviceIds] }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** A page of the events of a device, newest first: the newest ones, or those after a cursor, that pass the filter. */
export const deviceEventsQuery = (
  deviceId: Id<'device'>,
  { filter, after }: { readonly filter?: string | undefined; readonly after?: string | undefined } = {},
) =>
  actionPageQuery(
    'devices_QueryDeviceEvents',
    {
      deviceId,
      limit: after === undefined ? deviceEventsLimit : eventsPerPage,
      ...(filter === undefined ? {} : { filter }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** A page of the events of all devices of a project, newest first: the first one, or that after a cursor, that pass the filter. */
export const projectEventsQuery = (
  projectId: Id<'project'>,
  { filter, after }: { readonly filter?: string | undefined; readonly after?: string | undefined } = {},
) =>
  actionPageQuery(
    'projects_QueryProjectEvents',
    {
      projectId,
      limit: eventsPerPage,
      ...(filter === undefined ? {} : { filter }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** The past connections of a device with their end reasons, newest first. */
export const deviceConnectionsQuery = (deviceId: Id<'device'>, limit: number) =>
  actionQuery('devices_QueryConnections', { deviceId, limit }, everyMinute);

/** A page of what has happened to a device, newest first: of one kind or of all, before a time or up to now. */
export const timelineQuery = (
  deviceId: Id<'device'>,
  {
    kind,
    before,
    after,
  }: {
    readonly kind?: (typeof timelineKinds)[number] | undefined;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  } = {},
) =>
  actionPageQuery(
    'devices_QueryTimeline',
    {
      deviceId,
      ...(kind === undefined ? {} : { kinds: [kind] }),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** The most changes of properties that the hub keeps of a device. */
const maxChanges = 500;

/** The changes of the properties of a device, newest first. */
export const recentChangesQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_QueryTimeline', { deviceId, kinds: ['Property'], limit: maxChanges }, everyMinute);

/** When no hub was there to see the devices of a project. */
export const hubGapsQuery = (projectId: Id<'project'>, range: 'Day' | 'Month') =>
  actionQuery('projects_QueryHistory', { projectId, range }, everyFiveMinutes);

/** Whether a device is connected, and why not. */
export const presenceQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_GetPresence', { deviceId }, everyMinute);

/** The properties of a device by name, such as its system information. */
export const devicePropertiesQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_QueryDeviceProperties', { deviceId }, everyMinute);
