import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { continueFacts } from '../../store/fact-building.ts';

/** Reads what filters ask for from the properties and metadata of some devices. */
export const ContinueFacts: Handler<'devices_ContinueFacts'> = {
  authorize: ({ actor }) => mustBeHub(actor),
  run: async ({ tx, now }) => ({ step: await continueFacts(tx, now) }),
};
