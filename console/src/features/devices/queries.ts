import type { DeviceEventSeverity, Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** The default number of events that are read. */
export const deviceEventsLimit = 10;

/** One device with its metadata, certificates and connections. */
export const deviceQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_GetDeviceDetails', { deviceId }, everyMinute);

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
