import { writtenValue } from '@corral/contract';

/** The search parameters of the list of devices that overviews link to. */
export interface DeviceSearch {
  readonly q?: string;
  readonly status?: 'connected' | 'disconnected';
  readonly certs?: 'pending';
}

/** The devices with one of these values in a field. */
export const withValue = (field: string, ...values: readonly string[]): DeviceSearch => ({
  q: `${field}:${values.map(writtenValue).join(',')}`,
});

/** The devices that have a value in a field, but none of these. */
export const withOtherValue = (field: string, values: readonly string[]): DeviceSearch => ({
  q: values.length === 0 ? `has:${field}` : `has:${field} -${withValue(field, ...values).q}`,
});

/** The devices without a value in a field. */
export const withoutValue = (field: string): DeviceSearch => ({ q: `not has:${field}` });

/** The devices that were last connected longer than an hour ago. */
export const longOfflineDevices: DeviceSearch = { q: 'offline>1h' };

/** Devices by state as overviews count them: one that is not connected and has a pending certificate is waiting, and not disconnected. */
export const devicesOfState = {
  connected: { status: 'connected' },
  disconnected: { status: 'disconnected', q: '-cert:pending' },
  waiting: { certs: 'pending', q: 'not connected' },
} as const satisfies Record<string, DeviceSearch>;

/** The filters of the states that the list of devices can be limited to. */
export const filterOfState = {
  connected: 'connected',
  disconnected: 'not connected',
  pending: 'cert:pending',
} as const;
