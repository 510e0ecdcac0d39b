import type { Output } from '@corral/contract';
import { terms } from '../copy/terms.ts';

/** A device in the list of a project. */
export type ListedDevice = Output<'projects_QueryProjectDevices'>['devices'][number];

/** What a device may be called: the name that it was given, and the hostname that it reported. */
export interface DeviceNames {
  readonly name?: string | undefined;
  readonly hostname?: string | undefined;
}

/** The displayed name of a device: its own, or else its hostname, or else "unnamed". */
export function deviceName({ name, hostname }: DeviceNames): string {
  return [name, hostname].find(hasName) ?? terms.unnamed;
}

/** A label that identifies a device: its name, or else its hostname, or else its id. */
export function deviceLabel({ name, hostname, deviceId }: DeviceNames & { deviceId: string }): string {
  return [name, hostname].find(hasName) ?? deviceId;
}

/** Whether a device has a name or hostname that can be read. */
export function hasName(name: string | undefined): name is string {
  return name !== undefined && name.trim() !== '';
}
