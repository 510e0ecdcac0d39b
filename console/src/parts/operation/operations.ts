import type { Id, Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** An operation on one device. */
export type DeviceOperation = Output<'devices_QueryOperations'>['operations'][number];

/** How many operations of a device, or devices of an operation, a page has. */
export const operationsPerPage = 50;

/** A page of the operations of a device, newest first. */
export const deviceOperationsQuery = (deviceId: Id<'device'>, after?: string) =>
  actionPageQuery(
    'devices_QueryOperations',
    { deviceId, limit: operationsPerPage, ...(after === undefined ? {} : { after }) },
    everyMinute,
  );

/** An operation on one device with its steps and how each stands. */
export const deviceOperationQuery = (deviceOperationId: Id<'deviceOperation'>) =>
  actionQuery('devices_GetOperation', { deviceOperationId }, everyMinute);

/** The commands that a device offers. */
export const deviceCommandsQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_QueryCommands', { deviceId }, everyMinute);

/** Cancels an operation on one device. */
export const cancelDeviceOperation = actionMutation('devices_CancelOperation', 'devices_OperationCancelled');
