import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { deleteSomeDevicesOfDeletedProjects } from '../../store/deleted-project-devices.ts';

/** Deletes some of the devices that deleted projects have left. */
export const DrainDeletedProjects: Handler<'projects_DrainDeletedProjects'> = {
  isOneStatement: () => true,
  authorize: ({ actor }) => mustBeHub(actor),
  run: ({ tx }) => deleteSomeDevicesOfDeletedProjects(tx),
};
