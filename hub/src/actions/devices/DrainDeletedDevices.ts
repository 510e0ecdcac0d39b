import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { deleteSomeEventsOfDeletedDevices } from '../../store/deleted-device-events.ts';

/** Deletes some of the events that deleted devices have left. */
export const DrainDeletedDevices: Handler<'devices_DrainDeletedDevices'> = {
  isOneStatement: () => true,
  authorize: ({ actor }) => mustBeHub(actor),
  run: ({ tx }) => deleteSomeEventsOfDeletedDevices(tx),
};
