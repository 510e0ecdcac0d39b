import type { Internal } from '../../../calls/handler.ts';
import { deleteSomeDevicesOfDeletedProjects } from '../sql/deleted-project-devices.ts';

/** Deletes some of the devices that deleted projects have left. */
export const DrainDeletedProjects: Internal<void, { deletedDevices: number; isComplete: boolean }> = {
  name: 'projects_DrainDeletedProjects',
  isOneStatement: () => true,
  run: ({ tx }) => deleteSomeDevicesOfDeletedProjects(tx),
};
