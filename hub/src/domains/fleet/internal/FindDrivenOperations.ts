import type { Internal } from '../../../calls/handler.ts';
import { findDriven } from '../sql/ready-devices.ts';

/** The raw ids of the operations that may go on. */
export const FindDrivenOperations: Internal<void, readonly string[]> = {
  name: 'fleet_FindDrivenOperations',
  isQuery: true,

  run: ({ tx }) => findDriven(tx),
};
