import type { DeviceEventSeverity, Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes, everyMinute } from '../../data/intervals.ts';

/** The default number of events that are read. */
export const deviceEventsLimit = 10;

/** One device with its metadata, certificates and connections. */
export const deviceQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_GetDeviceDetails', { deviceId }, everyMinute);

/** The most names of fields that are read at once. */
export const maxFilterNames = 500;

/** The names of properties and metadata, beginning with a prefix, that a filter of the devices of a project may use. */
export const filterFieldsQuery = (projectId: Id<'project'>, prefix = '') =>
  actionQuery(
    'projects_QueryFilterFields',
    { projectId, limit: maxFilterNames, ...(prefix === '' ? {} : { prefix }) },
    everyFiveMinutes,
  );

/** The first certificates of a project, or of some of its devices, that are pending, those that wait longest first. */
export const pendingCertificatesQuery = (
  projectId: Id<'project'>,
  limit: number,
  deviceIds?: readonly Id<'device'>[],
) =>
  actionQuery(
    'projects_QueryPendingCertificates',
    { projectId, limit, ...(deviceIds === undefined ? {} : { deviceIds: [...deviceIds] }) },
    everyMinute,
  );

/** The newest events of a device, or of them those with a severity. */
export const deviceEventsQuery = (
  deviceId: Id<'device'>,
  limit = deviceEventsLimit,
  severity?: DeviceEventSeverity,
) =>
  actionQuery(
    'devices_QueryDeviceEvents',
    { deviceId, limit, ...(severity === undefined ? {} : { filter: `severity:${severity}` }) },
    everyMinute,
  );

/** The past connections of a device with their end reasons, newest first. */
export const deviceConnectionsQuery = (deviceId: Id<'device'>, limit: number) =>
  actionQuery('devices_QueryConnections', { deviceId, limit }, everyMinute);

/** The properties of a device by name, such as its system information. */
export const devicePropertiesQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_QueryDeviceProperties', { deviceId }, everyMinute);
