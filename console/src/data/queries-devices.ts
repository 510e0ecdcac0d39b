import type { Id } from '@corral/contract';
import { actionQuery } from './action-query.ts';
import { everyMinute } from './intervals.ts';

/** How many events of a device are read unless more are asked for. */
export const deviceEventsLimit = 10;

/** One device with its metadata, certificates and connections. */
export const deviceQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_GetDeviceDetails', { deviceId }, everyMinute);

/** The newest events of a device. */
export const deviceEventsQuery = (deviceId: Id<'device'>, limit = deviceEventsLimit) =>
  actionQuery('devices_QueryDeviceEvents', { deviceId, limit }, everyMinute);

/** The connections of a device with how they ended, newest first. */
export const deviceConnectionsQuery = (deviceId: Id<'device'>, limit: number) =>
  actionQuery('devices_QueryConnections', { deviceId, limit }, everyMinute);

/** The properties of a device by name, such as what its system reports. */
export const devicePropertiesQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_QueryDeviceProperties', { deviceId }, everyMinute);
