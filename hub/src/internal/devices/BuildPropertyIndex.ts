import type { Internal } from '../../executor/internal.ts';
import { continuePropertyIndex, type IndexStep } from '../../store/property-index-building.ts';

/** Adds the properties and metadata of some devices to the property index. */
export const BuildPropertyIndex: Internal<void, IndexStep> = {
  name: 'devices_BuildPropertyIndex',
  run: ({ tx, now }) => continuePropertyIndex(tx, now),
};
