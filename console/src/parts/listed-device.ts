import type { Output } from '@corral/contract';
import { terms } from '../copy/terms.ts';

/** A device in the list of a project. */
export type ListedDevice = Output<'projects_QueryProjectDevices'>['devices'][number];

/** The displayed name of a device: its own, or "unnamed". */
export function deviceName({ name }: { name?: string | undefined }): string {
  return hasName(name) ? name : terms.unnamed;
}

/** A label that identifies a device: its name, or else its id. */
export function deviceLabel({ name, deviceId }: { name?: string | undefined; deviceId: string }): string {
  return hasName(name) ? name : deviceId;
}

function hasName(name: string | undefined): name is string {
  return name !== undefined && name.trim() !== '';
}
