import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { continuePropertyIndex } from '../../store/property-index-building.ts';

/** Adds the properties and metadata of some devices to the property index. */
export const BuildPropertyIndex: Handler<'devices_BuildPropertyIndex'> = {
  authorize: ({ actor }) => mustBeHub(actor),
  run: async ({ tx, now }) => ({ step: await continuePropertyIndex(tx, now) }),
};
